/** Mistakes of servers when the EHR server is in trouble, as ways of sending a call. */
import type { Context } from '#mock-auth-server/context.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { doneReply, readAs } from '../calls/outgoing.ts';
import type { Defect, Layer } from '../defect.ts';

export type Send = NonNullable<Defect['fetch']>;

export function sending(id: string, title: string, caughtBy: string, fetch: Send, layer?: Layer): Defect {
  return { id, title, caughtBy, fetch, ...(layer && { layer }) };
}

/** Takes another reply for the one that came. */
export function replacing(id: string, title: string, caughtBy: string, fetch: Send): Defect {
  return sending(id, title, caughtBy, fetch, 'replaces');
}

/** Sees how calls end, and fails later because of it. */
export function watching(id: string, title: string, caughtBy: string, fetch: Send): Defect {
  return sending(id, title, caughtBy, fetch, 'watches');
}

export const jsonOf = async (response: Response) => {
  const text = await response.text();
  try {
    return JSON.parse(text) as { id?: unknown; result?: unknown; error?: { code: number } };
  } catch {
    return undefined;
  }
};

/** Treats a call as done when `when` says so, whatever the reply is. */
function takesAsDone(
  when: (response: Response, body: Awaited<ReturnType<typeof jsonOf>>, id: unknown) => boolean,
): Send {
  return readAs(async (response, { id }) => {
    const body = await jsonOf(response.clone()).catch(() => undefined);
    return when(response, body, id) ? doneReply(id) : response;
  });
}

/** The HTTP status is not looked at. */
export const takesHttp500AsDone = takesAsDone((response) => response.status === 500);

/** Any HTTP 200 is success. */
export const takesAny200AsDone = takesAsDone((response) => response.status === 200);

/** The id of the reply is not compared. */
export const takesAnyIdAsDone = takesAsDone(
  (_response, body, id) => body?.result !== undefined && String(body.id) !== String(id),
);

/** A reply that breaks off is success. */
export const takesHalfAReplyAsDone: Send = (send) => async (input, init) => {
  const response = await send(input, init);
  const { id } = JSON.parse(String(init?.body)) as { id: unknown };
  return response
    .clone()
    .text()
    .then(() => response)
    .catch(() => doneReply(id));
};

/** After the first failure all calls fail until the process is restarted. */
export function brokenAfter(
  failure: (error: unknown, response: Response | undefined) => Promise<boolean> | boolean,
): Send {
  return (send) => {
    let broken = false;
    return async (input, init) => {
      if (broken) throw new TypeError('The connection is in a broken state.');
      try {
        const response = await send(input, init);
        if (await failure(undefined, response.clone())) broken = true;
        return response;
      } catch (error) {
        if (await failure(error, undefined)) broken = true;
        throw error;
      }
    };
  };
}

export const refusedWith = (reason: string, caughtBy: string, where?: 'of-token' | 'on-save'): Defect =>
  replacing(
    `swallows-${reason.replaceAll('_', '-')}${where ? `-${where}` : ''}`,
    `The EHR server's ${reason} is answered with success${where ? `, when ${where === 'on-save' ? 'a session' : 'an exchange token'} is saved` : ''}`,
    caughtBy,
    takesAsDone((_response, body) => JSON.stringify(body?.error)?.includes(reason) ?? false),
  );

/** After one reply that `spoilt` matches, all calls fail. */
export const brokenAfterReply = (spoilt: (body: Awaited<ReturnType<typeof jsonOf>>, id: unknown) => boolean): Send => {
  const send: Send = (next) => {
    let broken = false;
    return async (input, init) => {
      if (broken) throw new TypeError('The connection is in a broken state.');
      const { id } = JSON.parse(String(init?.body)) as { id: unknown };
      const response = await next(input, init);
      if (spoilt(await jsonOf(response.clone()).catch(() => undefined), id)) broken = true;
      return response;
    };
  };
  return send;
};

export const isOfAnother = (body: Awaited<ReturnType<typeof jsonOf>>, id: unknown) =>
  body !== undefined && String(body.id) !== String(id);

/** The same defect at both calls, each with a check of its own. */
export const both = (
  make: typeof watching,
  id: string,
  title: string,
  checks: readonly [string, string],
  fetch: Send,
): Defect[] => [
  make(id, title, checks[0], fetch),
  make(`${id}-on-save`, `${title}, when a session is saved`, checks[1], fetch),
];

/** A circuit breaker that opens after some broken connections and never closes again. */
export const brokenAfterBreaks = (most: number): Send => {
  const send: Send = (next) => {
    let breaks = 0;
    return async (input, init) => {
      if (breaks >= most) throw new TypeError('The connection is in a broken state.');
      return next(input, init).catch((error: unknown) => {
        if (!init?.signal?.aborted) breaks++;
        throw error;
      });
    };
  };
  return send;
};
export const isPage = (_error: unknown, response: Response | undefined) =>
  response?.headers.get('content-type')?.startsWith('text/html') ?? false;

export const stalling = (context: Context): Context => ({
  ...context,
  ehr: {
    ...context.ehr,
    saveExchangeToken: (token, info) =>
      context.ehr
        .saveExchangeToken(token, info)
        .catch((error: unknown) => (isTimeout(error) ? new Promise<never>(() => undefined) : Promise.reject(error))),
    saveAuthInfo: (info, sign) =>
      context.ehr
        .saveAuthInfo(info, sign)
        .catch((error: unknown) => (isTimeout(error) ? new Promise<never>(() => undefined) : Promise.reject(error))),
  },
});

const isTimeout = (error: unknown) => error instanceof RpcError && error.reason === 'ehr_timeout';
