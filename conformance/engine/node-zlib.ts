/** The compression of Node. A browser has none that answers at once: there it is undefined. */
export const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
