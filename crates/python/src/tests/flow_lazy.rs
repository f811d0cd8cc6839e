//! What iterators of the library run as they are consumed.

use super::flow::check;

#[test]
fn the_function_of_map_runs_where_its_elements_are_taken() {
    check(
        "
        from itertools import chain, islice
        def load(path): ...
        def keep(path): ...
        class Numbers:
            def __iter__(self):
                yield 1
        def first(found):
            return next(found)           # runs a.load
        def loop(found):
            for one in found:            # runs a.keep
                pass
        def all_of(found):
            return list(chain(found))    # runs a.Numbers.__iter__
        def main():
            first(map(load, [1]))        # runs a.first, a.load
            loop(filter(keep, [1]))      # runs a.keep, a.loop
            all_of(islice(Numbers(), 2))     # runs a.Numbers, a.Numbers.__iter__, a.all_of
        ",
    );
}
