/** The files of the client's page, asked for once, so that it starts again without a network. */

/** The files that the client's page names. */
const FILES = /"\.\/(assets\/[^"]+)"/g;

/** Another address for each visit: what an earlier client kept would name sessions that are gone. */
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
