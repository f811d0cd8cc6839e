"""Drives the editor's door with pytest-lsp: position encodings and type hierarchies.

Environment: CODEWEFT (the binary), ROOT (a copy of test-fixtures/live-small).
"""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types as T
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

BINARY = os.environ["CODEWEFT"]
ROOT = pathlib.Path(os.environ["ROOT"])
DESK = (ROOT / "desk/desk.py").as_uri()
SHOP = (ROOT / "shop/shop.go").as_uri()
TEXT = (ROOT / "desk/desk.py").read_text("utf-8")

UNITS = {
    T.PositionEncodingKind.Utf8: lambda text: len(text.encode("utf-8")),
    T.PositionEncodingKind.Utf16: lambda text: len(text.encode("utf-16-le")) // 2,
    T.PositionEncodingKind.Utf32: len,
}


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[BINARY, "lsp", "--root", str(ROOT)]),
    params=list(UNITS),
)
async def client(request, lsp_client: LanguageClient):
    capabilities = client_capabilities("visual-studio-code")
    capabilities.general = T.GeneralClientCapabilities(position_encodings=[request.param])

    # The server registers the files that it wants to be told of; the test client has no answer.
    @lsp_client.feature(T.CLIENT_REGISTER_CAPABILITY)
    def register(params: T.RegistrationParams):
        lsp_client.registered = [one.method for one in params.registrations]

    result = await lsp_client.initialize_session(
        T.InitializeParams(capabilities=capabilities, root_uri=ROOT.as_uri())
    )
    assert result.capabilities.position_encoding == request.param
    lsp_client.units = UNITS[request.param]
    yield
    await lsp_client.shutdown_session()


def place(client, text, needle, offset=0):
    """The position of a needle's character in a text, in the client's units."""
    at = text.index(needle) + offset
    before = text[:at]
    line = before.count("\n")
    return T.Position(line, client.units(before.rsplit("\n", 1)[-1]))


def ends(client, text, needle):
    start = place(client, text, needle)
    return T.Range(start, T.Position(start.line, start.character + client.units(needle)))


@pytest.mark.asyncio
async def test_a_definition_behind_wide_characters_is_found_in_every_encoding(client):
    document = T.TextDocumentIdentifier(uri=DESK)
    found = await client.text_document_definition_async(
        T.DefinitionParams(document, place(client, TEXT, "lamp.light", 6))
    )
    found = found if isinstance(found, list) else [found]
    first = TEXT[: TEXT.index("def light") + 4].count("\n")
    assert [(one.uri, one.range.start.line) for one in found] == [(DESK, first)]


@pytest.mark.asyncio
async def test_callers_are_ranges_in_the_units_of_the_client(client):
    document = T.TextDocumentIdentifier(uri=DESK)
    items = await client.text_document_prepare_call_hierarchy_async(
        T.CallHierarchyPrepareParams(document, place(client, TEXT, "明るく(lamp"))
    )
    assert [item.name for item in items] == ["明るく"]
    assert items[0].selection_range == ends(client, TEXT, "明るく")
    calls = await client.call_hierarchy_incoming_calls_async(
        T.CallHierarchyIncomingCallsParams(items[0])
    )
    assert [call.from_.name for call in calls] == ["evening"]
    start = place(client, TEXT, "明るく(Desk())")
    assert calls[0].from_ranges[0].start == start


@pytest.mark.asyncio
async def test_an_edit_behind_wide_characters_is_made_where_the_client_says(client):
    document = T.VersionedTextDocumentIdentifier(uri=DESK, version=2)
    client.text_document_did_open(
        T.DidOpenTextDocumentParams(T.TextDocumentItem(DESK, "python", 1, TEXT))
    )
    # Behind the wide characters of its own line: "😀" becomes "😀😀", then a call is added.
    at = place(client, TEXT, '" + lamp')
    client.text_document_did_change(
        T.DidChangeTextDocumentParams(
            document,
            [
                T.TextDocumentContentChangePartial(text="😀", range=T.Range(at, at)),
                T.TextDocumentContentChangePartial(
                    text=" + lamp.light()",
                    range=T.Range(*[
                        T.Position(at.line, at.character + client.units("😀") + client.units('" + lamp.light()'))
                    ] * 2),
                ),
            ],
        )
    )
    after = TEXT.replace('"😀" + lamp.light()', '"😀😀" + lamp.light() + lamp.light()')
    items = await client.text_document_prepare_call_hierarchy_async(
        T.CallHierarchyPrepareParams(
            T.TextDocumentIdentifier(uri=DESK), place(client, after, "light(self)")
        )
    )
    calls = await client.call_hierarchy_incoming_calls_async(
        T.CallHierarchyIncomingCallsParams(items[0])
    )
    ranges = [one for call in calls for one in call.from_ranges]
    first = place(client, after, "light() + ")
    second = place(client, after, "light()\n")
    assert [one.start for one in ranges] == [first, second]
    client.text_document_did_close(
        T.DidCloseTextDocumentParams(T.TextDocumentIdentifier(uri=DESK))
    )


@pytest.mark.asyncio
async def test_a_class_has_its_bases_above_and_its_subclasses_below(client):
    items = await client.text_document_prepare_type_hierarchy_async(
        T.TypeHierarchyPrepareParams(
            T.TextDocumentIdentifier(uri=DESK), place(client, TEXT, "Desk(Lamp)")
        )
    )
    assert [item.name for item in items] == ["Desk"]
    above = await client.type_hierarchy_supertypes_async(T.TypeHierarchySupertypesParams(items[0]))
    below = await client.type_hierarchy_subtypes_async(T.TypeHierarchySubtypesParams(items[0]))
    assert "Lamp" in [item.name for item in above]
    assert [item.name for item in below] == ["Small"]


@pytest.mark.asyncio
async def test_an_interface_has_its_implementations_below(client):
    text = (ROOT / "shop/shop.go").read_text("utf-8")
    items = await client.text_document_prepare_type_hierarchy_async(
        T.TypeHierarchyPrepareParams(
            T.TextDocumentIdentifier(uri=SHOP), place(client, text, "Till interface")
        )
    )
    below = await client.type_hierarchy_subtypes_async(T.TypeHierarchySubtypesParams(items[0]))
    assert sorted(item.name for item in below) == ["Card", "Drawer"]
    card = [item for item in below if item.name == "Card"]
    above = await client.type_hierarchy_supertypes_async(T.TypeHierarchySupertypesParams(card[0]))
    assert "Till" in [item.name for item in above]
