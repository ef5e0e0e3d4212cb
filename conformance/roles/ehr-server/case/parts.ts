/** What the script of a case of an EHR server has beside its calls. */
import { headOf } from '../../../engine/case/head.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { ScriptParts } from '../../../engine/case/script.ts';
import type { Told } from '../../../engine/case/told.ts';
import type { EhrSettings } from '../settings.ts';
import { membersOf } from '../world/answer.ts';
import { callOf, METHODS } from '../world/messages.ts';

/** The parts of a script for the server of these settings, whose ports are filled in. */
export function partsOf(settings: EhrSettings, control: string, told: Told): ScriptParts {
  const { server, internalUrl = server.url, internal, timeouts } = settings;
  return {
    head: headOf(told, [
      'The EHR server is the party that is tested. This script makes the calls of its two callers: of the',
      'client at PUBLIC, and of the authorization server at INTERNAL.',
      'Set INTERNAL_PASSWORD to the password with which the authorization server authenticates itself.',
    ]),
    constants: [
      `const PUBLIC = process.env.PUBLIC ?? ${quoted(server.url)};`,
      `const INTERNAL = process.env.INTERNAL ?? ${quoted(internalUrl)};`,
      `const CONTROL = process.env.CONTROL ?? ${quoted(control)};`,
      `const USER = ${quoted(internal.user)};`,
      'const PASSWORD = process.env.INTERNAL_PASSWORD;',
      `const TIMEOUT_MS = ${timeouts.callMs};`,
    ].join('\n'),
    drawnBy: () => undefined,
    drawsInvented: true,
    functions: ehrFunctions,
    open: openText,
    curlEnd: (json) => {
      const { authInfo } = membersOf(membersOf(json).params);
      const { user, token } = membersOf(authInfo);
      if (typeof user !== 'string' || typeof token !== 'string') return undefined;
      return { ...callOf(METHODS.removeAuthentication, {}, { user, token }), id: 'end' };
    },
    urlOf: ({ request, link }, flow, index) => {
      if (link === 'helper') {
        const { pathname, search } = new URL(request.path);
        return `CONTROL + ${flow.textOf(pathname + search, index)}`;
      }
      const [base = 'PUBLIC', rest] = request.path.split(' ');
      return rest === undefined ? base : `new URL(${quoted(rest)}, ${base})`;
    },
  };
}

/** The environment variables that lead a script to a server. */
export const environmentOf = (
  { server, internalUrl = server.url, internal }: EhrSettings,
  control: string,
) => ({
  ...{ PUBLIC: server.url, INTERNAL: internalUrl, CONTROL: control },
  INTERNAL_PASSWORD: internal.password,
});

/** Functions that are written into a script. */
const ehrFunctions: Readonly<Record<string, string>> = {
  invented: `
/** A value that was never used before. */
const invented = (length) => randomBytes(length).toString('base64url').slice(0, length);`,
  settled: `
/** Nothing of an EHR server comes later. */
const settled = () => undefined;`,
};

/** Nothing is started. In the end the links that the script made are removed: a patient has one at a time. */
const openText = `
async function open() {
  return async () => {
    for (const json of asked.reverse()) {
      const { user, token } = json?.params?.authInfo ?? {};
      if (typeof user !== 'string' || typeof token !== 'string') continue;
      const call = { jsonrpc: '2.0', id: 'end', method: 'embedded_storage.remove_authentication', params: {}, cred: { user, token } };
      await ask('the end', 'POST', PUBLIC, { json: call });
    }
  };
}`;
