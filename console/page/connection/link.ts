/** The page's requests to the console's server. Only this file and the stream use the network. */
import type * as Api from '../../api.ts';
import type { Network } from './network.ts';
import type { EventsSource } from './stream.ts';

/** A request that the server refused, with what to do. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Link = ReturnType<typeof createLink>;

export type LinkOptions = Network & {
  /** The path of the page, with a slash at its end. */
  base: string;
};

/** Creates the requests. */
export function createLink({ base, token, fetch, openEvents }: LinkOptions) {
  async function answerTo(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${base}api/${path}`, { method, headers, ...(text && { body: text }) });
    if (response.ok) return response;
    const refusal = (await response.json().catch(() => undefined)) as Api.Refusal | undefined;
    throw new Refused(response.status, refusal?.error?.message ?? `HTTP ${response.status}`);
  }
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    (await answerTo(method, path, body)).json();
  const get = <T>(path: string) => ask<T>('GET', path);
  const post = <T>(path: string, body?: unknown) => ask<T>('POST', path, body);
  const shown = (secrets: boolean) => (secrets ? '?secrets=show' : '');
  return {
    hasToken: token !== '',
    overview: () => get<Api.Overview>('overview'),
    messages: (secrets: boolean) => get<Api.Row[]>(`messages${shown(secrets)}`),
    message: (id: number, secrets: boolean) => get<Api.MessageDetail>(`messages/${id}${shown(secrets)}`),
    state: () => get<Api.State>('state'),
    verdicts: () => get<Api.LiveVerdict[]>('verdicts'),
    phone: () => get<Api.TextMessage[]>('phone'),
    moveClock: (move: Api.MoveClock) => post<Api.ClockState>('clock', move),
    arm: (fault: Api.ArmFault) => post<Api.ArmedFault>('faults', fault),
    disarm: (id: number) => ask<Api.ArmedFault[]>('DELETE', `faults/${id}`),
    textTrouble: (trouble: Api.TextTrouble) => post<Api.TextTrouble>('text-trouble', trouble),
    takeOver: () => post<Api.TakenOver>('scenario', { do: 'takeOver' }),
    scenario: (play: Api.PlayScenario) => post<Api.ScenarioState>('scenario', play),
    snapshots: () => get<Api.Snapshot[]>('snapshots'),
    takeSnapshot: (wanted: Api.TakeSnapshot) => post<Api.Snapshot>('snapshots', wanted),
    deleteSnapshot: (id: number) => ask<Api.Snapshot[]>('DELETE', `snapshots/${id}`),
    restore: (id: number) => post<Api.State>(`snapshots/${id}/restore`),
    reset: () => post<Api.State>('reset'),
    moment: () => get<Api.Moment>('moment'),
    openMoment: (moment: Api.Moment) => post<Api.ScenarioState>('moment', moment),
    replay: (runJson: string) => post<Api.Replay>('replay', runJson),
    /** What was recorded, as the text of a run.json. */
    runJson: async () => (await answerTo('GET', 'run.json')).text(),
    /** Opens the events. They cannot send headers. */
    events: (secrets: boolean): EventsSource =>
      openEvents(`${base}api/events?${new URLSearchParams({ ...(secrets && { secrets: 'show' }), token })}`),
  };
}
