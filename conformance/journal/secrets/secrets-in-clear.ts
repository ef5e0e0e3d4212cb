/** Finds secrets that a request to the EHR server has in clear. */
import { tryJson } from '#protocol/wire/json.ts';
import type { RawExchange } from '../observe.ts';
import type { Knowledge } from './knowledge.ts';
import { hasForm } from './sought-forms.ts';

/** Lists the secrets in a request, each with its place. */
export function secretsInClear({ request }: RawExchange, { passwordForms, signs }: Knowledge): string[] {
  const found: string[] = [];
  const look = (place: string, text: string) => {
    if (hasForm(text, passwordForms)) found.push(`the internal password in the ${place}`);
    const candidates = [text, text.includes('%') ? safeDecode(text) : text];
    for (const sign of signs.keys())
      if (candidates.some((candidate) => candidate.includes(sign))) found.push(`a user_sign in the ${place}`);
  };
  look('request line', request.path);
  for (const [name, value] of request.headers) look(`header ${name.toLowerCase()}`, value);
  look('body', unescapeJson(request.body));
  return [...new Set(found)];
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text was not encoded.
    return text;
  }
}

function unescapeJson(body: string): string {
  const parsed = tryJson(body);
  return parsed ? JSON.stringify(parsed.value) : body;
}
