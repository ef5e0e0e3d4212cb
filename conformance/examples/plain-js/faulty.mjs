/**
 * Starts the server of `server.mjs` with three severe faults. The kit must find each, name it, and blame this
 * server.
 */
process.env.FAULTS ??= 'password-in-header,pin-works-twice,logout-keeps-session';
await import('./server.mjs');
