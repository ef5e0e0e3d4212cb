/** The server of `server.mjs` with three real faults: each must be found, named and blamed. */
process.env.FAULTS ??= 'password-in-header,pin-works-twice,logout-keeps-session';
await import('./server.mjs');
