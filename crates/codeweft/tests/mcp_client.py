"""Drives `codeweft mcp` with the official Python client (mcp 2.3.0).

usage: mcp_client.py BINARY ROOT
Both lifecycles of the protocol: the handshake, the list, an answer, errors, progress.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, stdio_client


async def session(binary: str, root: str, mode: str) -> None:
    server = StdioServerParameters(command=binary, args=["mcp", "--standalone", "--root", root])
    async with Client(stdio_client(server), mode=mode) as client:
        assert client.server_info.name == "codeweft", client.server_info
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["cortex_graph"], tools
        assert tools[0].annotations.read_only_hint is True

        told = []

        async def progress(done, total, message):
            told.append(done)

        answer = await client.call_tool(
            "cortex_graph", {"operation": "callers", "target": "greet.Say"}, progress_callback=progress
        )
        assert not answer.is_error, answer
        assert answer.structured_content["total_found"] == len(answer.structured_content["results"]) > 0
        assert told == sorted(told)
        for row in answer.structured_content["results"]:
            assert row["node"]["id"] in answer.content[0].text

        for arguments, kind in (
            ({"operation": "callers", "target": "nothing.Here"}, "target_not_found"),
            ({"operation": "callers", "target": "x", "depth": 0}, "invalid_request"),
        ):
            answer = await client.call_tool("cortex_graph", arguments)
            assert answer.is_error and answer.structured_content["error_type"] == kind, answer

        try:
            await client.call_tool("nope", {})
        except Exception as error:  # the client's own type of protocol errors
            assert "nope" in str(error), error
        else:
            raise AssertionError("an unknown tool was called")
        print(json.dumps({"mode": mode, "protocol": client.protocol_version}))


async def main() -> None:
    for mode in ("legacy", "auto"):
        await session(sys.argv[1], sys.argv[2], mode)


asyncio.run(main())
