/** Defects that let others see tokens: beside the body of a call, and on pages of origins like the own. */
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { authInfoOf, changed } from './outgoing.ts';

const CHECK = 'tokens-in-body-alone';

export const sessionSecretDefects: readonly Defect[] = [
  {
    id: 'session-token-in-header',
    title: 'The session token stands in the Authorization header of the calls',
    caughtBy: CHECK,
    fetch: changed((out) => void Object.assign(out.init.headers, { authorization: `Bearer ${authInfoOf(out).token}` })),
  },
  {
    id: 'session-token-in-query',
    title: 'User and session token stand in the query of the calls',
    caughtBy: CHECK,
    fetch: changed((out) => {
      const { user, token } = authInfoOf(out);
      out.url.search = new URLSearchParams({ user: String(user), token: String(token) }).toString();
    }),
  },
  {
    id: 'exchange-token-in-cookie',
    title: 'The exchange token stands in a cookie of the calls',
    caughtBy: CHECK,
    fetch: changed(({ call, init }) => {
      const { exchangeToken } = call.params;
      if (typeof exchangeToken === 'string') Object.assign(init.headers, { cookie: `ticket=${exchangeToken}; v=1` });
    }),
  },
  onShape('challenge', 'session-in-header', CHECK),
  onShape('challenge', 'session-in-query', CHECK),
  onShape('challenge', 'like-origin-allowed', 'foreign-origin-not-allowed'),
  onShape('challenge', 'origin-compared-at-end', 'foreign-origin-not-allowed'),
];
