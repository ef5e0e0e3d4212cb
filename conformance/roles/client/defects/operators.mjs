/**
 * The ways in which a variant differs from the right client. `name` is a function of the client, such as
 * 'authenticate', or a method of a server, such as AUTHENTICATE.
 */
import { around as replaces } from '../../../examples/plain-client/faults.mjs';
import { readJson, wire } from '../../../examples/plain-client/rpc.mjs';

export const CONFIRM = 'auth.confirm_otp';
export const EXCHANGE = 'auth.exchange_token';
export const REPORT = 'auth.report_link';
export const AUTH_LOGOUT = 'auth.logout';
export const DELETE_USER = 'auth.delete_user';
export const READ = 'patient.get_patient';
export const AUTHENTICATE = 'embedded_storage.authenticate';
export const LOGOUT = 'embedded_storage.remove_auth_info';
export const DISCONNECT = 'embedded_storage.remove_authentication';

export const NO_MATCH = -34001;
/** Given as a list of methods: all methods. Given as a list of error numbers: every refusal. */
export const ANY = [];

const fits = (list, one) => [list].flat().length === 0 || [list].flat().includes(one);

/** Resolves to undefined, whatever becomes of the promise. */
export const anyway = async (promise) => void (await promise.catch(() => undefined));

export const both =
  (...changes) =>
  (client) => {
    for (const change of changes) change(client);
  };

/** `faulty` gets the right function (by default with the arguments of the call), the client, and these. */
export const around = (name, faulty) => (client) => {
  const otherwise = (right, given) =>
    faulty((...other) => right(...(other.length > 0 ? other : given)), client, ...given);
  if (!name.includes('.')) return replaces(client, name, (right, ...given) => otherwise(right, given));
  return replaces(client, name.startsWith('auth.') ? 'auth' : 'ehr', (right, method, ...given) =>
    method === name ? otherwise((...args) => right(method, ...args), given) : right(method, ...given),
  );
};

/** `more` gets the client, and the arguments of the call. */
export const before = (name, more) =>
  around(name, async (right, client, ...given) => {
    await more(client, ...given);
    return right();
  });

/**
 * `more` gets the client, what came, and the arguments of the call. Its result, unless it is undefined, takes
 * the place of what came.
 */
export const after = (name, more) =>
  around(name, async (right, client, ...given) => {
    const came = await right();
    return (await more(client, came, ...given)) ?? came;
  });

/** `way` gets the client, the error, and the arguments. Where it returns undefined, the refusal stays. */
export const atRefusal = (name, codes, way) =>
  around(name, (right, client, ...given) =>
    right().catch(async (error) => {
      const found = fits(codes, error.code) ? await way(client, error, ...given) : undefined;
      if (found === undefined) throw error;
      return found;
    }),
  );

/** A `way` for {@link atRefusal}: turns the refusal into another one. */
export const takenFor = (code) => (_client, error) => {
  error.code = code;
};

export const repeatedAt = (name, codes, times = 1) =>
  around(name, (right) => {
    const tryAgain = (left) =>
      right().catch((error) => {
        if (left === 0 || !fits(codes, error.code)) throw error;
        return tryAgain(left - 1);
      });
    return tryAgain(times);
  });

export const cached = (method, isGood = () => true) =>
  around(method, async (right, { ledger }) => {
    const former = ledger.answered(method).at(-1);
    return former && isGood(ledger, former) ? former.result : right();
  });

/**
 * `change` is a function of the object and the client, or has new members: values, or functions of the former
 * values.
 */
const changed = (object, change, client) => {
  if (typeof change === 'function') return { ...object, ...change(object, client) };
  const members = Object.entries(change).map(([name, value]) => [
    name,
    typeof value === 'function' ? value(object[name]) : value,
  ]);
  return { ...object, ...Object.fromEntries(members) };
};

export const shows = ({ do: actions = ANY, sees = ANY }, change) =>
  after('act', (client, seen, action) =>
    fits(actions, action.do) && fits(sees, seen.sees) ? changed(seen, change, client) : undefined,
  );

export const says = (sees, more) =>
  shows({ sees }, ({ text }, client) => ({
    text: `${text} ${typeof more === 'string' ? more : (more(client) ?? '')}`,
  }));

export const showsRecord = (change) =>
  shows({}, ({ patient }, client) => patient && { patient: changed(patient, change, client) });

export const inRequest = (methods, change) => (client) => {
  const right = wire.send;
  wire.send = ({ body, ...init }) => {
    const request = { ...init, call: JSON.parse(body) };
    const sent = fits(methods, request.call.method) ? changed(request, change, client) : request;
    return right({ ...sent, body: sent.body ?? JSON.stringify(sent.call) });
  };
};

export const inCall = (methods, change) =>
  inRequest(methods, ({ call }, client) => ({ call: changed(call, change, client) }));

export const inParams = (methods, change) =>
  inCall(methods, ({ params }, client) => ({ params: changed(params, change, client) }));

export const inForm = (change) =>
  inParams(AUTHENTICATE, ({ patientProperties }, client) => ({
    patientProperties: changed(patientProperties, change, client),
  }));

/** `call` is the call as the client made it, before other changes. */
export const inReply = (methods, change) => () => {
  const right = wire.send;
  wire.send = async (request) => {
    const call = JSON.parse(request.body);
    const answer = await right(request);
    const isChanged = answer.status === 200 && answer.text.startsWith('{') && fits(methods, call.method);
    return isChanged ? { ...answer, text: JSON.stringify(change(readJson(answer.text), call)) } : answer;
  };
};

export function followsRedirects() {
  const right = wire.send;
  wire.send = async (request) => {
    const answer = await right(request);
    const { location } = answer.headers;
    return location === undefined ? answer : right({ ...request, url: location });
  };
}

/** Posts a text that is no call to a path of the authorization server that has no methods. */
export const sendsBeacon = (name, textOf) =>
  after(name, ({ authUrl }, _seen, action) => {
    const headers = { 'content-type': 'text/plain' };
    return anyway(wire.send({ url: `${authUrl}/seen`, headers, body: textOf(action) }));
  });

export const withIds = (rename) =>
  both(
    inCall(ANY, { id: (id) => rename(id) }),
    inReply(ANY, (reply, { id }) => (String(reply.id) === String(rename(id)) ? { ...reply, id } : reply)),
  );

/** Accepts the reply of another call: gives each reply the id that the client waits for. */
export const takesAnyReply = (...methods) => inReply(methods, (reply, { id }) => ({ ...reply, id }));

export const leavesInStorage = (what) =>
  around('save', (right, client) => {
    client.storage.left = typeof what === 'function' ? what(client.ledger) : client.ledger[what];
    return right();
  });

export const logs = (name, what) =>
  after(name, (client) => void process.stderr.write(`debug: ${JSON.stringify(what(client))}\n`));

export function dropAllSigns(client) {
  client.storage.signatures = {};
  client.save();
}

export function leaveQuietly(client, text) {
  client.forgetSession();
  return { sees: 'signedOut', text };
}

export const isLeaving = () => process.stdin.readableEnded;
