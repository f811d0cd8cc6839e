'use strict';
// Data: items are [label, detail, kind class, width, height, x, y, parent, name, kind, folder, id, facts], and of folders
// also [inner width, inner height, nodes]; edges are [from, to, count, style]; routes are [start, end, bend...] with three
// numbers for a bend. Positions are those of compound.rs, elements those of picture.rs.
const make = (name, attributes, ...children) => {
  const element = name[0] == ':' ? document.createElementNS('http://www.w3.org/2000/svg', name.slice(1)) : document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
};
const number = new Intl.NumberFormat('en').format;
const diagrams = [];

function diagram(section) {
  const $ = query => section.querySelector(query), svg = $('.stage svg'), panel = $('aside'), input = $('input'), found = $('.found');
  const data = JSON.parse($('.data').textContent), {items, edges, routes, right} = data, root = items.length - 1;
  const open = new Set(data.open), children = items.map(() => []);
  items.forEach((item, i) => i < root && children[item[7]].push(i));
  const isFolder = i => children[i].length > 0, at = i => svg.querySelector(`[data-i="${i}"]`);
  const folders = i => { const list = []; while ((i = items[i][7]) >= 0) list.unshift(i); return list; };
  const visible = i => folders(i).find(folder => !open.has(folder)) ?? i;
  const rects = [], maps = [], sizes = [];
  const bases = items.map((item, i) => open.has(i) ? item.slice(13, 15) : item.slice(3, 5));
  let middle, scale, extent, selected = -1;

  // Positions
  const stretch = (folder, axis) => {
    const boxes = children[folder].map(i => [items[i][5 + axis], bases[i][axis], sizes[i][axis] / bases[i][axis] - 1]);
    if (boxes.every(box => !box[2])) return v => v;
    const ends = [...new Set(boxes.flatMap(([begin, length]) => [begin, begin + length]))].sort((a, b) => a - b);
    const parts = ends.slice(1).map((end, n) => {
      const length = end - ends[n], changes = boxes.filter(([b, l]) => b < end && b + l >= end).map(box => box[2]);
      return [ends[n], length, changes.length ? Math.max(...changes) * length : 0];
    }).filter(part => part[2]);
    return v => parts.reduce((sum, [begin, length, extra]) => sum + extra * Math.min(1, Math.max(0, (v - begin) / length)), v);
  };
  const measure = i => {
    if (!open.has(i)) return sizes[i] = items[i].slice(3, 5);
    children[i].forEach(measure);
    maps[i] = [stretch(i, 0), stretch(i, 1)];
    return sizes[i] = [0, 1].map(axis => Math.round(maps[i][axis](items[i][13 + axis])));
  };
  const locate = (i, x, y) => {
    rects[i] = [x, y, ...sizes[i]];
    if (open.has(i)) for (const child of children[i]) {
      const [left, top] = [0, 1].map(axis => {
        const begin = items[child][5 + axis], map = maps[i][axis];
        return Math.round((map(begin) + map(begin + bases[child][axis]) - sizes[child][axis]) / 2);
      });
      locate(child, x + left, y + top);
    }
  };
  const arrange = () => { rects.length = 0; measure(root); locate(root, 0, 0); };

  // Drawing
  const path = (from, to) => {
    const a = rects[from], b = rects[to], end = (rect, axis) => rect[axis] + rect[2 + axis];
    let main = right ? 0 : 1, route = items[from][7] == items[to][7] && routes[from + ',' + to];
    if (from != to && a[main] < end(b, main) && b[main] < end(a, main)) { main = 1 - main; route = 0; }
    const cross = 1 - main, point = (c, m) => main ? c + ',' + m : m + ',' + c;
    let m = a[main];
    const high = end(a, main), side = end(a, cross), [first, last, ...bends] = route || [0, 0];
    if (from == to) return `M${point(side, m + 8)}C${point(side + 18, m + 2)} ${point(side + 18, high - 2)} ${point(side, high - 8)}`;
    const down = b[main] >= high, frame = items[from][7], moved = (axis, v) => rects[frame][axis] + maps[frame][axis](v);
    if (down) m = high;
    let c = a[cross] + a[2 + cross] / 2 + first, d = 'M' + point(c, m);
    const curve = (nc, nm) => { const half = (m + nm) / 2; d += `C${point(c, half)} ${point(nc, half)} ${point(nc, nm)}`; c = nc; m = nm; };
    for (let n = 0; n < bends.length; n += 3) {
      curve(moved(cross, bends[n]), moved(main, bends[n + 1]));
      d += 'L' + point(c, m = moved(main, bends[n + 2]));
    }
    curve(b[cross] + b[2 + cross] / 2 + last, down ? b[main] : end(b, main));
    return d;
  };
  const draw = () => {
    arrange();
    const [frames, lines, boxes] = svg.querySelectorAll(':scope > g'), sums = new Map();
    for (const [a, b, count, style] of edges) {
      const from = visible(a), to = visible(b), key = from + ',' + to, sum = sums.get(key);
      if (from == to && isFolder(from)) continue;
      if (!sum) sums.set(key, [from, to, count, style]);
      else { sum[2] += count; if ('dsh'.indexOf(style) > 'dsh'.indexOf(sum[3])) sum[3] = style; }
    }
    lines.replaceChildren(...[...sums.values()].map(([a, b, count, style]) => make(':path', {
      class: 'e ' + style, 'data-a': a, 'data-b': b, d: path(a, b), 'marker-end': `url(#${data.prefix + style})`,
      'stroke-width': 1.2 + Math.min(4, Math.log10(count || 1)) / 2,
    }, make(':title', {}, `${items[a][8]} → ${items[b][8]}${count > 1 ? ` (${number(count)})` : ''}`))));
    lines.classList.toggle('many', sums.size > 250);
    frames.replaceChildren();
    boxes.replaceChildren();
    for (let i = root - 1; i >= 0; i--) {
      if (!rects[i]) continue;
      const [label, detail, kind, , , , , , name, what, folder] = items[i], [x, y, width, height] = rects[i];
      const common = {'data-i': i, tabindex: 0, role: 'button'};
      if (open.has(i)) {
        frames.append(make(':g', {...common, class: 'f', 'aria-expanded': true, 'aria-label': name + ', unfolded'},
          make(':rect', {class: 'b', x, y, width, height, rx: 8}), make(':text', {x: x + 12, y: y + 19}, name)));
        continue;
      }
      const spoken = `${name}, ${what}${folder && ' in ' + folder}${isFolder(i) ? `, ${number(items[i][15])} nodes folded` : ''}`;
      boxes.prepend(make(':g', {...common, class: `n k${kind}${isFolder(i) ? ' o' : ''}`, 'aria-label': spoken, transform: `translate(${x},${y})`},
        make(':title', {}, spoken), make(':rect', {class: 'b', width, height, rx: 6}),
        make(':rect', {class: 'a', x: 5, y: 7, width: 3, height: height - 14, rx: 1.5}),
        make(':text', {x: 14, y: detail ? 19 : 20}, label), ...detail ? [make(':text', {class: 't', x: 14, y: 34}, detail)] : []));
    }
  };

  // View
  const show = () => {
    const size = extent.map(length => length * scale);
    svg.setAttribute('viewBox', [middle[0] - size[0] / 2, middle[1] - size[1] / 2, ...size].join(' '));
  };
  const look = (x, y, next) => { middle = [x, y]; scale = next; show(); };
  const scaleFor = ([width, height]) => Math.max(1, (width + 48) / extent[0], (height + 48) / extent[1]);
  const fit = () => look(sizes[root][0] / 2, sizes[root][1] / 2, scaleFor(sizes[root]));
  const zoom = (factor, [x, y] = middle) => {
    factor = Math.max(.25, scale * factor) / scale;
    look(x - (x - middle[0]) * factor, y - (y - middle[1]) * factor, scale * factor);
  };
  const reveal = (i, closest) => {
    const [x, y, width, height] = rects[i];
    const next = Math.max(scaleFor([width, height]), closest ? Math.min(scale, 1.1) : scale), center = [x + width / 2, y + height / 2];
    if (next != scale || [0, 1].some(k => Math.abs(center[k] - middle[k]) + rects[i][2 + k] / 2 > extent[k] / 2 * scale)) look(...center, next);
  };

  // Selection
  const toggle = i => {
    open.has(i) ? open.delete(i) : open.add(i);
    draw();
    reveal(i);
    select(i);
    at(i).focus({preventScroll: true});
  };
  const list = (title, ends) => ends.length ? [make('h4', {}, `${title} (${number(ends.length)})`), make('ul', {}, ...ends.slice(0, 40).map(i => {
    const button = make('button', {}, items[i][8], make('small', {}, items[i][10]));
    button.onclick = () => go(i);
    return make('li', {}, button);
  }), ...ends.length > 40 ? [`${ends.length - 40} more`] : [])] : [];
  const select = i => {
    svg.querySelectorAll('.sel, .near, .in, .out').forEach(element => element.classList.remove('sel', 'near', 'in', 'out'));
    selected = i;
    svg.classList.toggle('dim', i >= 0 && !open.has(i));
    panel.hidden = i < 0;
    if (i < 0) return;
    at(i).classList.add('sel');
    const outward = [], inward = [];
    for (const line of svg.querySelectorAll('[data-a]')) {
      const a = +line.dataset.a, b = +line.dataset.b;
      if (a == i) { line.classList.add('out'); outward.push(b); at(b).classList.add('near'); }
      if (b == i) { line.classList.add('in'); inward.push(a); at(a).classList.add('near'); }
    }
    const [, , , , , , , , name, kind, folder, id, facts] = items[i], button = make('button', {}, open.has(i) ? 'Fold' : 'Unfold');
    button.onclick = () => toggle(i);
    panel.replaceChildren(make('h3', {}, name), make('p', {}, [kind, folder].filter(Boolean).join(' in ')),
      make('dl', {}, ...[...facts, ['id', id]].flatMap(([term, value]) => [make('dt', {}, term), make('dd', {}, value)])),
      ...isFolder(i) ? [button] : [], ...list('Leads to', outward), ...list('Comes from', inward));
  };
  const go = i => {
    const closed = folders(i).filter(folder => !open.has(folder));
    closed.forEach(folder => open.add(folder));
    if (closed.length) draw();
    const item = open.has(i) ? i : visible(i);
    reveal(item, true);
    select(item);
    at(item).focus({preventScroll: true});
  };

  // Input
  input.oninput = () => {
    const part = input.value.trim().toLowerCase();
    found.replaceChildren();
    if (!part) return;
    const hits = [];
    items.forEach((item, i) => i < root && (item[8] + '\n' + item[11]).toLowerCase().includes(part) && hits.push(i));
    found.append(make('span', {}, hits.length == 1 ? '1 match' : number(hits.length) + ' matches'), ...hits.slice(0, 30).map(i => {
      const button = make('button', {}, items[i][8], make('small', {}, items[i][10]));
      button.onclick = () => { found.replaceChildren(); go(i); };
      return button;
    }));
  };
  const clear = () => {
    const last = selected;
    input.value = '';
    input.oninput();
    select(-1);
    if (last >= 0) at(last)?.focus();
    else if (document.activeElement == input) input.blur();
  };
  const step = (from, axis, sign) => {
    const center = i => [0, 1].map(k => rects[i][k] + rects[i][2 + k] / 2), here = center(from);
    let best = -1, least = Infinity;
    rects.forEach((_, i) => {
      if (i == from || i == root || open.has(i)) return;
      const there = center(i), along = (there[axis] - here[axis]) * sign, cost = along + 2 * Math.abs(there[1 - axis] - here[1 - axis]);
      if (along > 4 && cost < least) { least = cost; best = i; }
    });
    if (best >= 0) { reveal(best); at(best).focus({preventScroll: true}); }
  };
  const act = i => i == selected && isFolder(i) ? toggle(i) : select(i);
  section.onkeydown = event => {
    const {key, target} = event, item = target.closest?.('[data-i]');
    const arrow = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1]}[key];
    if (key == 'Escape') clear();
    else if (target == input) {
      if (key == 'Enter') found.querySelector('button')?.click();
      else if (key == 'ArrowDown') found.querySelector('button')?.focus();
      else return;
    } else if (item && arrow) step(+item.dataset.i, ...arrow);
    else if (item && (key == 'Enter' || key == ' ')) act(+item.dataset.i);
    else if (key == '+' || key == '=') zoom(.8);
    else if (key == '-') zoom(1.25);
    else if (key == '0') fit();
    else return;
    event.preventDefault();
  };
  section.querySelectorAll('[data-z]').forEach(button => button.onclick = () => ({'+': () => zoom(.8), '-': () => zoom(1.25), 0: fit})[button.dataset.z]());
  let drag;
  svg.onpointerdown = event => drag = [event.clientX, event.clientY, ...middle];
  svg.onpointermove = event => {
    if (!drag || !event.buttons) return;
    const x = event.clientX - drag[0], y = event.clientY - drag[1];
    if (!drag[4]) {
      if (Math.hypot(x, y) < 4) return;
      svg.setPointerCapture(event.pointerId);
      drag[4] = true;
    }
    look(drag[2] - x * scale, drag[3] - y * scale, scale);
  };
  svg.onclick = event => {
    if (drag?.[4]) return;
    const item = event.target.closest('[data-i]');
    item ? act(+item.dataset.i) : select(-1);
  };
  svg.addEventListener('wheel', event => {
    // In a page of several sections the wheel scrolls the page.
    if (!event.ctrlKey && !event.metaKey && !document.body.classList.contains('whole')) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 300),
      [middle[0] + (event.clientX - box.left - box.width / 2) * scale, middle[1] + (event.clientY - box.top - box.height / 2) * scale]);
  }, {passive: false});
  // Read once: after a change of the drawing the browser would have to lay it out first.
  const resize = () => extent = [svg.clientWidth || 1e3, svg.clientHeight || 1e3];
  addEventListener('resize', () => { resize(); show(); });
  resize();
  arrange();
  fit();
  // What would be too small to read begins at its top.
  if (scale > 1.7) look(middle[0], Math.min(middle[1], extent[1] * .85 - 24), 1.7);
  diagrams.push({input, section, go: id => { const i = items.findIndex(item => item[11] == id); if (i < 0) return false; section.scrollIntoView(); go(i); return true; }});
}
document.querySelectorAll('.diagram').forEach(diagram);

const follow = target => { const link = target.closest?.('[data-go]'); return link && diagrams.some(one => one.go(link.dataset.go)); };
document.addEventListener('click', event => follow(event.target));
document.addEventListener('keydown', event => {
  if (event.key == '/' && !/input/i.test(event.target.tagName) && diagrams.length) {
    const one = diagrams.find(one => one.section.contains(event.target)) || diagrams[0];
    one.input.focus();
    event.preventDefault();
  } else if (event.key == 'Enter' && event.target.closest?.('.tile')) follow(event.target);
});
document.querySelectorAll('th').forEach(heading => heading.onclick = () => {
  const body = heading.closest('table').tBodies[0], index = heading.cellIndex, down = heading.getAttribute('aria-sort') != 'descending';
  const value = row => { const cell = row.cells[index]; return cell.dataset.v ? +cell.dataset.v : cell.textContent; };
  const rows = [...body.rows].sort((a, b) => { const x = value(a), y = value(b); return x < y ? -1 : x > y ? 1 : 0; });
  heading.parentNode.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));
  heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  body.append(...down ? rows.reverse() : rows);
});
