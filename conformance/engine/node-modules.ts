/** Modules of Node. A page in a browser loads the kit to judge, and uses none: there they are undefined. */
const builtin = globalThis.process?.getBuiltinModule;

export const zlib = builtin?.('node:zlib');
export const http = builtin?.('node:http');
export const https = builtin?.('node:https');
export const net = builtin?.('node:net');
export const tls = builtin?.('node:tls');
