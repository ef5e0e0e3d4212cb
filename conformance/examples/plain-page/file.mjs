/** Stands in for `node:fs` in a browser: what the client keeps in a file stands in the page's storage. */
export const existsSync = (name) => localStorage.getItem(name) !== null;
export const readFileSync = (name) => localStorage.getItem(name);
export const writeFileSync = (name, text) => localStorage.setItem(name, text);
