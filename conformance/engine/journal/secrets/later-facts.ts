/**
 * Adds facts that need later messages. The kit may learn a secret after the answer that leaked it, and only
 * several tokens show how many bits of them are random.
 */
import type { Entry, Facts } from '../entry.ts';
import { secretsToClient } from './found/secrets-to-client.ts';
import type { Knowledge } from './knowledge.ts';

export function withLaterFacts(
  entry: Entry,
  knowledge: Knowledge,
  asking: Parameters<typeof secretsToClient>[2],
): Entry {
  if (entry.kind !== 'exchange') return entry;
  const { fresh } = entry.facts;
  if (fresh) return { ...entry, facts: { ...entry.facts, fresh: withBits(fresh, knowledge) } };
  if (entry.link !== 'client->auth' || !entry.response) return entry;
  const toClient = secretsToClient(entry, knowledge, asking);
  return toClient.length === 0 ? entry : { ...entry, facts: { ...entry.facts, toClient } };
}

type FreshTokens = NonNullable<Facts['fresh']>;

function withBits(fresh: FreshTokens, { tokens }: Knowledge): FreshTokens {
  const counted = Object.entries(fresh).map(([name, token]) => {
    const bits = token.source === undefined ? tokens[token.kind].bitsOf(name) : 0;
    return [name, { ...token, bits }];
  });
  return Object.fromEntries(counted);
}
