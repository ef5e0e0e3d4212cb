/** The ways in which a variant changes the right client: its methods, its messages, what the person sees. */
import { around, now } from '../../../../examples/plain-client/faults.mjs';

export { around, now };

export const LOGOUT = 'embedded_storage.remove_auth_info';
export const DISCONNECT = 'embedded_storage.remove_authentication';
export const AUTHENTICATE = 'embedded_storage.authenticate';

/** Changes the text of requests before they are sent. */
export function onWire(change) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const request = { url: String(url), init: { ...init }, call: JSON.parse(init.body) };
    change(request);
    return right(request.url, { ...request.init, body: request.body ?? JSON.stringify(request.call) });
  };
}

/** Changes the calls of some methods. */
export const onCall =
  (change, ...methods) =>
  () =>
    onWire((request) => {
      if (methods.length === 0 || methods.includes(request.call.method)) change(request.call, request);
    });

/** Changes the properties of the form. */
export const onForm = (change) => onCall(({ params }) => change(params.patientProperties, params), AUTHENTICATE);

/** Changes what the person sees. */
export const onSeen = (change) => (client) =>
  around(client, 'act', async (right, action) => change(await right(action), action, client));

export const anyway = (promise) => promise.catch(() => undefined);

/** Adds a member to the params of a call of the authorization server. */
export const noteToAuth = (method, noteOf) => (client) =>
  around(client, 'auth', (right, called, params, session) =>
    right(called, called === method ? { ...params, note: noteOf(client) } : params, session),
  );

/** Remembers what was typed into the form. */
export const typing = (alter) => (client) => {
  around(client, 'fillForm', (right, action) => {
    client.typed = action.values;
    return right(action);
  });
  alter(client);
};

/** Adds headers to the calls of some methods. */
export const withHeaders = (headers, ...methods) =>
  onCall(
    (call, request) => {
      request.init.headers = { ...request.init.headers, ...headers(call) };
    },
    ...methods,
  );

/** Calls a method twice, one after the other. */
export const twice = (method) => (client) =>
  around(client, method, async (right, ...args) => {
    const result = await right(...args);
    await anyway(right(...args));
    return result;
  });

/** Takes the reply of another call for the reply of its own. */
export function takeAnyReply(isOf) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const { id, method } = JSON.parse(init.body);
    const response = await right(url, init);
    if (!response.ok || !isOf(method)) return response;
    return new Response(JSON.stringify({ ...JSON.parse(await response.text()), id }));
  };
}

/** Takes some errors of replies for another one. */
export function onReply(reasonFor) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await right(url, init);
    const text = await response.text();
    const { error } = response.ok && text.startsWith('{') ? JSON.parse(text) : {};
    const reason = error && reasonFor(error);
    if (!reason) return new Response(text, { status: response.status });
    return new Response(
      JSON.stringify({ ...JSON.parse(text), error: { code: -32603, message: reason, data: { reason } } }),
    );
  };
}

/** Gives calls other ids, and replies the id that the client waits for. */
export const withIds = (rename) => () => {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const call = JSON.parse(init.body);
    const id = rename(call.id);
    const response = await right(url, { ...init, body: JSON.stringify({ ...call, id }) });
    const text = await response.text();
    return new Response(text.replace(new RegExp(`"id":"?${id}"?`), `"id":"${call.id}"`), { status: response.status });
  };
};

/** Keeps an exchange token until authenticate has succeeded or has ended it, or the person changes. */
export function keepsToken(client) {
  let kept;
  const forget = () => {
    kept = undefined;
  };
  around(client, 'exchangeToken', async (right) => {
    kept ??= await right();
    return kept;
  });
  around(client, 'forgetMemory', (right) => {
    forget();
    return right();
  });
  around(client, 'ehr', async (right, method, ...rest) => {
    if (method !== AUTHENTICATE) return right(method, ...rest);
    const failed = await right(method, ...rest).then(
      (result) => ({ result }),
      (error) => ({ error }),
    );
    if (failed.error?.code !== NO_MATCH) forget();
    if (failed.error) throw failed.error;
    return failed.result;
  });
}

const NO_MATCH = -34001;
