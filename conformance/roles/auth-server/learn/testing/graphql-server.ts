/** For tests: GraphQL, where every call is a POST to one address and every answer has the status 200. */
import { Core, type CorePorts, CoreRefusal, serve } from './core.ts';
import { sendJson, type Walk } from './walk.ts';

/** Starts the server. */
export function startGraphqlServer(ports: CorePorts): Promise<string> {
  const core = new Core(ports);
  return serve(async ({ text, header }) => {
    const { operationName, variables = {} } = JSON.parse(text || '{}');
    const token = header('x-session');
    const operations: Record<string, () => unknown> = {
      SendCode: async () => ({ sendCode: { attempt: await core.requestCode(variables.input?.mobile) } }),
      SignIn: async () => {
        const { user, token, ttl } = await core.confirm(variables.attempt, variables.code, variables.ehrSign);
        return { signIn: { viewer: { id: user }, session: { value: token, minutes: ttl } } };
      },
      Viewer: () => ({ viewer: { id: core.session(token).user } }),
      EhrTicket: async () => ({ createEhrTicket: { ticket: await core.exchange(token) } }),
      EhrLinked: async () => ({ ehrLinked: { ok: (await core.link(token, variables.sign)) === undefined } }),
      SignOut: () => ({ signOut: { ok: core.logout(token) === undefined } }),
      DeleteAccount: () => ({ deleteAccount: { ok: core.remove(token) === undefined } }),
    };
    try {
      return { status: 200, body: { data: await operations[operationName]?.() } };
    } catch (error) {
      if (!(error instanceof CoreRefusal)) throw error;
      const extensions = { code: `BAD_${error.message.toUpperCase()}` };
      return { status: 200, body: { data: null, errors: [{ message: 'It was refused.', extensions }] } };
    }
  });
}

const QUERIES: Readonly<Record<string, string>> = {
  SendCode: 'mutation SendCode($input: CodeInput!) { sendCode(input: $input) { attempt } }',
  SignIn:
    'mutation SignIn($attempt: ID!, $code: String!, $ehrSign: String) { signIn(attempt: $attempt, code: $code, ehrSign: $ehrSign) { viewer { id } session { value minutes } } }',
  Viewer: 'query Viewer { viewer { id } }',
  EhrTicket: 'mutation EhrTicket { createEhrTicket { ticket } }',
  EhrLinked: 'mutation EhrLinked($sign: String!) { ehrLinked(sign: $sign) { ok } }',
  SignOut: 'mutation SignOut { signOut { ok } }',
  DeleteAccount: 'mutation DeleteAccount { deleteAccount { ok } }',
};

/** Plays an application of the server. */
export const walkGraphql: Walk = async ({ browser, url, phone, codeFor, linkAtEhr }) => {
  const call = async (operationName: string, variables: object, token?: string) => {
    const headers = token === undefined ? {} : { 'x-session': token };
    const body = { operationName, query: QUERIES[operationName], variables };
    return Object((await sendJson(browser, `${url}/graphql`, body, { headers })).json.data);
  };
  const signIn = async (sign: object, wrongFirst: boolean) => {
    const since = await codeFor.count(phone);
    const { attempt } = (await call('SendCode', { input: { mobile: phone, channel: 'SMS' } })).sendCode;
    if (wrongFirst) await call('SignIn', { attempt, code: '000111', ...sign });
    const { signIn } = await call('SignIn', { attempt, code: await codeFor.next(phone, since), ...sign });
    return { user: signIn.viewer.id as string, token: signIn.session.value as string };
  };
  const first = await signIn({}, true);
  await call('Viewer', {}, first.token);
  const { createEhrTicket } = await call('EhrTicket', {}, first.token);
  const sign = await linkAtEhr(createEhrTicket.ticket, first);
  await call('EhrLinked', { sign }, first.token);
  await call('SignOut', {}, first.token);
  const second = await signIn({ ehrSign: sign }, false);
  await call('DeleteAccount', {}, second.token);
};
