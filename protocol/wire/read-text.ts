/**
 * Reads a body that may be hostile: `response.text()` has no limit, and repairs what is no UTF-8.
 * @throws TypeError when the body is longer than `limit` bytes or no UTF-8; the error of a broken stream
 */
export async function readText(response: Response, limit: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > limit) {
      await reader.cancel();
      throw new TypeError(`The body is larger than ${limit} bytes.`);
    }
    chunks.push(part.value);
  }
  return utf8.decode(await new Blob(chunks).arrayBuffer());
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
