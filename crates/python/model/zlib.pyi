"""Model of zlib, after the Python library reference: zlib."""

DEFLATED: int
DEF_BUF_SIZE: int
DEF_MEM_LEVEL: int
MAX_WBITS: int
ZLIB_RUNTIME_VERSION: str
ZLIB_VERSION: str
Z_BEST_COMPRESSION: int
Z_BEST_SPEED: int
Z_BLOCK: int
Z_DEFAULT_COMPRESSION: int
Z_DEFAULT_STRATEGY: int
Z_FILTERED: int
Z_FINISH: int
Z_FIXED: int
Z_FULL_FLUSH: int
Z_HUFFMAN_ONLY: int
Z_NO_COMPRESSION: int
Z_NO_FLUSH: int
Z_PARTIAL_FLUSH: int
Z_RLE: int
Z_SYNC_FLUSH: int
Z_TREES: int

class error(Exception): ...

class Compress:
    def compress(self, data) -> bytes: ...
    def copy(self) -> Compress: ...
    def flush(self, mode=...) -> bytes: ...

class Decompress:
    eof: bool
    unconsumed_tail: bytes
    unused_data: bytes
    def copy(self) -> Decompress: ...
    def decompress(self, data, max_length=0) -> bytes: ...
    def flush(self, length=...) -> bytes: ...

class _ZlibDecompressor:
    eof: bool
    needs_input: bool
    unused_data: bytes
    def decompress(self, data, max_length=-1) -> bytes: ...

def adler32(data, value=1) -> int: ...
def compress(data, level=-1, wbits=15) -> bytes: ...
def compressobj(level=-1, method=8, wbits=15, memLevel=8, strategy=0, zdict=...) -> Compress: ...
def crc32(data, value=0) -> int: ...
def decompress(data, wbits=15, bufsize=16384) -> bytes: ...
def decompressobj(wbits=15, zdict=b"") -> Decompress: ...
