/** Plays a flow with our own parties, to find where that of other parties goes another way. */
import type { Flow } from './flows/flow.ts';
import { type Call, firstDifference } from './parties/calls.ts';
import { loadParties } from './parties/load.ts';
import { openParties, type Parties, type PartiesParts } from './parties/open.ts';
import { type PlayedFlow, playFlow } from './play-flows.ts';

export class Reference {
  readonly #parts: PartiesParts;
  readonly #played = new Map<Flow, Promise<readonly Call[]>>();
  #parties: Promise<Parties> | undefined;
  /** The flow that is played now: one at a time, because all share the parties. */
  #last: Promise<unknown> = Promise.resolve();

  /** The parties are opened when the first flow is asked for. */
  constructor(parts: PartiesParts) {
    this.#parts = parts;
  }

  /** Adds to a failed flow the first message in which it differs. */
  async explain(played: PlayedFlow, { seesInternal, recorder }: Parties): Promise<PlayedFlow> {
    if (played.outcome !== 'failed') return played;
    const reference = await this.#callsOf(played.flow);
    const comparable = reference.filter(({ link }) => seesInternal || link !== 'auth->ehr');
    const difference = firstDifference(played.calls, comparable);
    return { ...played, difference: difference && recorder.knowledge.pseudonyms.mask(difference) };
  }

  async close(): Promise<void> {
    await (await this.#parties)?.close();
  }

  #callsOf(flow: Flow): Promise<readonly Call[]> {
    const known = this.#played.get(flow);
    if (known !== undefined) return known;
    this.#parties ??= loadParties({}, this.#parts.env).then((own) => openParties(own, this.#parts));
    const opened = this.#parties;
    const playing = this.#last.then(async () => (await playFlow(flow, await opened, 0)).calls);
    this.#played.set(flow, playing);
    this.#last = playing.catch(() => undefined);
    return playing;
  }
}
