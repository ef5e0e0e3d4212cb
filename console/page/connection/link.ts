/** The page's requests to the console's server. Only this file and the stream use the network. */
import type {
  ArmedFault,
  ArmFault,
  ClockState,
  LiveVerdict,
  MessageDetail,
  Moment,
  MoveClock,
  Overview,
  PlayScenario,
  Refusal,
  Replay,
  Row,
  ScenarioState,
  Snapshot,
  State,
  TakeSnapshot,
  TextMessage,
  TextTrouble,
} from '../../api.ts';

/** A request that the server refused, with what to do. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Link = ReturnType<typeof createLink>;

export type LinkOptions = {
  /** The path of the page, with a slash at its end. */
  base: string;
  /** Opens the server. */
  token: string;
  fetch: typeof globalThis.fetch;
};

/** Creates the requests. */
export function createLink({ base, token, fetch }: LinkOptions) {
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${base}api/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: text }),
    });
    if (response.ok) return (await response.json()) as T;
    const refusal = (await response.json().catch(() => undefined)) as Refusal | undefined;
    throw new Refused(response.status, refusal?.error?.message ?? `HTTP ${response.status}`);
  }
  const shown = (secrets: boolean) => (secrets ? '?secrets=show' : '');
  return {
    overview: () => ask<Overview>('GET', 'overview'),
    messages: (secrets: boolean) => ask<Row[]>('GET', `messages${shown(secrets)}`),
    message: (id: number, secrets: boolean) => ask<MessageDetail>('GET', `messages/${id}${shown(secrets)}`),
    state: () => ask<State>('GET', 'state'),
    verdicts: () => ask<LiveVerdict[]>('GET', 'verdicts'),
    phone: () => ask<TextMessage[]>('GET', 'phone'),
    moveClock: (move: MoveClock) => ask<ClockState>('POST', 'clock', move),
    arm: (fault: ArmFault) => ask<ArmedFault>('POST', 'faults', fault),
    disarm: (id?: number) => ask<ArmedFault[]>('DELETE', id === undefined ? 'faults' : `faults/${id}`),
    textTrouble: (trouble: TextTrouble) => ask<TextTrouble>('POST', 'text-trouble', trouble),
    scenario: (play: PlayScenario) => ask<ScenarioState>('POST', 'scenario', play),
    snapshots: () => ask<Snapshot[]>('GET', 'snapshots'),
    takeSnapshot: (wanted: TakeSnapshot) => ask<Snapshot>('POST', 'snapshots', wanted),
    restore: (id: number) => ask<State>('POST', `snapshots/${id}/restore`),
    reset: () => ask<State>('POST', 'reset'),
    moment: () => ask<Moment>('GET', 'moment'),
    openMoment: (moment: Moment) => ask<ScenarioState>('POST', 'moment', moment),
    replay: (runJson: string) => ask<Replay>('POST', 'replay', runJson),
    /** An address for what cannot send headers: the event stream and downloads. */
    address: (path: string, query: Record<string, string> = {}) =>
      `${base}api/${path}?${new URLSearchParams({ ...query, token })}`,
  };
}
