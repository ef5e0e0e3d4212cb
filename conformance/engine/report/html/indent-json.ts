/** Adds line breaks and indents to JSON and keeps all else: a doubled member or a `1.0` stays visible. */
import { tryJson } from '#protocol/wire/json.ts';

/** Puts each member on its own line; returns a text that is not JSON unchanged. */
export function indentJson(text: string): string {
  if (!tryJson(text)) return text;
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

/** A string, an empty object or list, a sign, or blank space; numbers and words are left unchanged. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g;
