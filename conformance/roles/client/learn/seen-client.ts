/** Infers from a recording of one walk through a client what the file about it says. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { headerIn, type SeenExchange } from '../../../engine/learn/exchange.ts';
import { addressOf, callsIn, type SeenCall } from '../../../engine/learn/seen-calls.ts';
import type { SeenFact } from '../../../engine/learn/seen-fact.ts';
import { leavesOf } from '../../../engine/learn/values.ts';
import { isLoopback } from '../../../engine/wire/stray.ts';
import { type SeenHtml, type SeenPage, seenPage } from './seen-page.ts';

/** A server that the client calls: its base address, without the version segment of the EHR server. */
export type SeenServer = SeenFact<string> & {
  /** Whether the page is told the address in its own query, so that the kit can tell it another. */
  isInQuery: boolean;
};

/** What a recording shows of a client. A member is absent where it shows nothing of it. */
export type SeenClient = {
  /** The address of the page, with templates for the addresses in its query. */
  address?: SeenFact<string> | undefined;
  auth?: SeenServer | undefined;
  ehr?: SeenServer | undefined;
  page: SeenPage;
};

/** Whether the client has the address by itself, and it is a port of this machine. The kit listens there. */
export function isFixedHere({ value, isInQuery }: SeenServer): boolean {
  const { hostname, port } = new URL(value);
  return !isInQuery && isLoopback(hostname) && port !== '';
}

/** Infers all of it. */
export async function seenClient(exchanges: readonly SeenExchange[]): Promise<SeenClient> {
  const pages = exchanges.filter(isPage);
  const [auth] = callsIn(exchanges, AUTH_METHODS);
  const [ehr] = callsIn(exchanges, EHR_METHODS);
  const servers = { authUrl: auth?.endpoint, ehrUrl: ehr?.endpoint.replace(VERSION_SEGMENT, '') };
  const address = pages[0] && pageAddress(pages[0], servers);
  const seen = (name: keyof typeof servers, call: SeenCall | undefined): SeenServer | undefined =>
    call && {
      value: servers[name] ?? '',
      because: `${call.method} was sent to ${call.endpoint} (request ${call.number})`,
      isInQuery: address?.value.includes(`\${${name}}`) ?? false,
    };
  return {
    address,
    auth: seen('authUrl', auth),
    ehr: seen('ehrUrl', ehr),
    page: await seenPage(pages.flatMap(htmlOf), privateIn(exchanges)),
  };
}

const AUTH_METHODS: ReadonlySet<string> = new Set(Object.keys(authMethods));
const EHR_METHODS: ReadonlySet<string> = new Set(
  Object.entries(ehrMethods).flatMap(([name, { access }]) => (access === 'client' ? [name] : [])),
);
/** The last segment of the endpoint of an EHR server. */
const VERSION_SEGMENT = /\/[^/]+\/?$/;

/** Whether the exchange brings a page of HTML. */
const isPage = ({ request, answer }: SeenExchange): boolean =>
  request.method !== 'OPTIONS' &&
  answer.status === 200 &&
  /\bhtml\b/i.test(headerIn(answer.headers, 'content-type') ?? '');

const htmlOf = ({ number, request, answer: { body } }: SeenExchange): SeenHtml[] =>
  body.kind === 'text' ? [{ html: body.text, where: `${request.url.pathname} (request ${number})` }] : [];

/** The address without its query, of which those members stay that are addresses of the two servers. */
function pageAddress(
  { number, request: { url } }: SeenExchange,
  servers: Readonly<Record<string, string | undefined>>,
): SeenFact<string> {
  const templates = [...url.searchParams].flatMap(([name, value]) => {
    const server = Object.keys(servers).find((each) => isSameAddress(value, servers[each]));
    return server === undefined ? [] : [`${encodeURIComponent(name)}=\${${server}}`];
  });
  const left = url.searchParams.size - templates.length;
  const because = `the first page (request ${number})${left > 0 ? `; ${left} more of its query left out` : ''}`;
  return { value: addressOf(url) + (templates.length > 0 ? `?${templates.join('&')}` : ''), because };
}

const isSameAddress = (a: string, b: string | undefined): boolean =>
  b !== undefined && a.replace(/\/$/, '') === b.replace(/\/$/, '');

/** Returns whether a text has a value that was sent or answered: words of the page have none. */
function privateIn(exchanges: readonly SeenExchange[]): (text: string) => boolean {
  const values = new Set(
    exchanges
      .filter(({ request }) => !TEXT_FILE.test(request.url.pathname))
      .flatMap(({ request, answer }) => [request.body, answer.body])
      .flatMap((body) => {
        if (body.kind === 'form') return body.fields.map(([, value]) => value);
        return body.kind === 'json' ? leavesOf(body.json).map(({ value }) => value) : [];
      })
      .filter(({ length }) => length >= MIN_PRIVATE_CHARACTERS),
  );
  return (text) => [...values].some((value) => text.toLowerCase().includes(value.toLowerCase()));
}

/** A file of JSON with the words of a page in several languages has nothing of a person. */
const TEXT_FILE = /\.json$/i;
/** Shorter values, such as a code of gender, stand in words by chance. */
const MIN_PRIVATE_CHARACTERS = 3;
