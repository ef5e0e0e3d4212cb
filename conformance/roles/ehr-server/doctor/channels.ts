/** Looks whether both endpoints of an EHR server answer, and by which digest the internal one takes calls. */

import { isObject } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import { CLOSED_EARLY } from '../../../engine/party/requests/send.ts';
import { whyNotJson } from '../../../engine/party/requests/why-not-json.ts';
import { codeOf } from '../check.ts';
import { NO_DIGESTS, WRONG_WAYS } from '../flows/internal-channel/wrong-digests.ts';
import type { Called } from '../world/calls.ts';
import { callOf, METHODS, readCall } from '../world/messages.ts';
import type { EhrWorld } from '../world/world.ts';

const PROBES = {
  'a call without cred': readCall({}),
  'a call of an unknown method': readCall({ method: 'no.method' }),
  'an authenticate without params': JSON.stringify(callOf(METHODS.authenticate, {})),
};

/** The error of a transport fault, such as a wrong path, has no code: it is no JSON-RPC reply. */
const isReply = ({ reply }: Called) =>
  (isObject(reply?.error) && 'code' in reply.error) || reply?.result !== undefined;

const EXAMPLE = 'such as http://127.0.0.1:4100/1.0-alpha/.';

/** Finds any JSON-RPC reply right, an error too. A wrong answer among right ones is a fault of the server. */
export async function endpoint(world: EhrWorld): Promise<Finding> {
  const { publicUrl } = world.parts;
  let wrong: { label: string; called: Called } | undefined;
  for (const [label, body] of Object.entries(PROBES)) {
    const called = await world.send(label, world.post(body));
    if (isReply(called))
      return {
        found: wrong ? `${publicUrl}; but ${wrong.label} was answered ${wordsOf(wrong.called)}` : publicUrl,
      };
    wrong ??= { label, called };
  }
  return wrong ? withoutReply(publicUrl, wrong.called) : { found: publicUrl };
}

function withoutReply(publicUrl: string, called: Called): Finding {
  const { answer, result } = called;
  const found = `${publicUrl} answered ${wordsOf(called)}`;
  if (answer.kind === 'answer' && /"jsonrpc"/.test(answer.text))
    return { found: `${found}: a fault of the server, which is judged` };
  if (answer.kind === 'answer')
    return { found, remedy: `Give server.url the whole endpoint with its version segment, ${EXAMPLE}` };
  return result.kind === 'failed' && result.detail === CLOSED_EARLY
    ? { found, remedy: 'Look into the log of the server: it takes the call, and sends no whole answer.' }
    : { found, remedy: 'Start the server, or correct server.url; with server.start the kit starts it.' };
}

function wordsOf({ answer, result }: Called): string {
  if (answer.kind !== 'answer') return `with ${describe(result)}`;
  return `with HTTP ${answer.status} with a body that ${whyNotJson(answer.text) ?? 'is no JSON-RPC reply'}`;
}

/** Saves an exchange token, as the authorization server does, with the digest over the internal password. */
export async function internalChannel(world: EhrWorld): Promise<Finding> {
  const { result } = await announced(world, 'save an exchange token');
  if (result.kind === 'done') return { found: 'an exchange token was saved' };
  const found = `save_exchange_token was answered: ${describe(result)}`;
  if (result.kind !== 'refused') return failedOf(world, result, found);
  if (result.status === 404 && !isRefusedFor(result, 'not_authorized')) return nothingThere(world, found);
  if (isRefusedFor(result, 'access_forbidden'))
    return { found, remedy: 'Give internalUrl the endpoint of the internal channel.' };
  if (isRefusedFor(result, 'invalid_params'))
    return { found, remedy: 'Give ttlUnit the unit that the server uses.' };
  const way = await takenWay(world);
  if (way !== undefined)
    return {
      found: `the digest is refused, and another is taken: ${way}. This is a fault of the server, which is judged; the kit prepares its checks by that digest`,
    };
  return {
    found,
    remedy:
      'Give internal.user and internal.password the values of the server: cred.token is sha1(password + exchange token) in lowercase hexadecimal.',
  };
}

function nothingThere({ parts, settings }: EhrWorld, found: string): Finding {
  const key = settings.internalUrl === undefined ? 'server.url' : 'internalUrl';
  return {
    found: `${found}, at ${parts.internalUrl}`,
    remedy: `There is no endpoint at this address: give ${key} the whole endpoint with its version segment, ${EXAMPLE}`,
  };
}

function failedOf(
  { parts: { internalUrl, publicUrl } }: EhrWorld,
  result: Exclude<Called['result'], { kind: 'done' | 'refused' }>,
  found: string,
): Finding {
  const isOfServer =
    result.kind === 'failed' && (result.what === 'server-error' || result.what === 'unexpected-answer');
  if (isOfServer) return faultOfServer(found);
  if (result.kind === 'failed' && result.what === 'timeout' && internalUrl === publicUrl)
    return {
      found: `${found}; the server answered calls before, and is silent now`,
      remedy: 'A fault of the server: look into its log for the call after which it answers none.',
    };
  return { found, remedy: 'Start the internal endpoint, or correct internalUrl.' };
}

const announced = (world: EhrWorld, label: string) =>
  world.saveExchangeToken(label, world.invented('exchange-token'), world.session());

/** Finds a digest that the server takes instead of the right one, and prepares all checks by it. */
async function takenWay(world: EhrWorld): Promise<string | undefined> {
  const { dialect } = world.parts;
  const right = dialect.digest;
  for (const [way, digest] of Object.entries({ ...WRONG_WAYS, ...NO_DIGESTS })) {
    dialect.digest = digest;
    if ((await announced(world, `save with a digest ${way}`)).result.kind === 'done') return way;
  }
  dialect.digest = right;
  return undefined;
}

/** Without a remedy the server is judged. */
export type Finding = { found: string; remedy?: string };

export type Examination = { id: string; title: string; find: (world: EhrWorld) => Promise<Finding> };

export const faultOfServer = (found: string): Finding => ({
  found: `${found}: a fault of the server, which is judged as far as it can be`,
});

export const isRefusedFor = (result: Called['result'], reason: Reason): boolean =>
  result.kind === 'refused' && (result.reason === reason || result.code === codeOf(reason));
