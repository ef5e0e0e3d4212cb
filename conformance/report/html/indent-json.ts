/** Line breaks and indents for JSON, and nothing else changed: a member sent twice or a number written `1.0` must stay to be seen. */

/** The text with each member on its own line; a text that is not JSON as it is. */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    // Shown as it crossed.
    return text;
  }
  let depth = 0;
  const line = (change: number) => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  return text.replace(TOKEN, (token: string) => {
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return token + line(0);
    if (token === ':') return ': ';
    return /^\s/.test(token) ? '' : token.replaceAll(/\s+(?=[\]}]$)/g, '');
  });
}

/** A string, an empty object or list, a sign, or blank space; numbers and words are left as they are. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g;
