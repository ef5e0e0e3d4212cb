/**
 * The client's page as the browser keeps it: its files are asked for once, with those of the page around it,
 * so that it can start again without a network.
 */

/** The files that the client's page names. */
const FILES = /"\.\/(assets\/[^"]+)"/g;

/**
 * Returns the address of the client's page, another one for each visit: what an earlier client kept would
 * name sessions of servers that are gone.
 * @param base the path of the page around it
 */
export async function clientAddress(
  { location, localStorage, fetch }: Window,
  base: string,
): Promise<string> {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(`${location.origin}/`)) localStorage.removeItem(key);
  const kept = async (file: string) =>
    URL.createObjectURL(await (await fetch(`${base}client/${file}`)).blob());
  const html = await (await fetch(`${base}client/`)).text();
  const names = [...html.matchAll(FILES)].map(([, name = '']) => name);
  const addresses = await Promise.all(names.map(kept));
  const moved = names.reduce((text, name, at) => text.replace(`./${name}`, addresses[at] ?? ''), html);
  return URL.createObjectURL(new Blob([moved], { type: 'text/html' }));
}
