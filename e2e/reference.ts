/** Plays a flow with our own parties, to find where that of other parties goes another way. */
import type { Flow } from './flows/flow.ts';
import { type Call, firstDifference } from './parties/calls.ts';
import { loadParties } from './parties/load.ts';
import { openParties, type Parties, type PartiesParts } from './parties/open.ts';
import { type PlayedFlow, playFlow } from './play-flows.ts';

export class Reference {
  readonly #parts: PartiesParts;
  readonly #played = new Map<Flow, readonly Call[]>();
  #parties: Promise<Parties> | undefined;

  /** The parties are opened when the first flow is asked for. */
  constructor(parts: PartiesParts) {
    this.#parts = parts;
  }

  /** Adds to a failed flow the first message in which it differs. */
  async explain(played: PlayedFlow): Promise<PlayedFlow> {
    if (played.outcome !== 'failed') return played;
    return { ...played, difference: firstDifference(played.calls, await this.#callsOf(played.flow)) };
  }

  async close(): Promise<void> {
    await (await this.#parties)?.close();
  }

  async #callsOf(flow: Flow): Promise<readonly Call[]> {
    const known = this.#played.get(flow);
    if (known) return known;
    this.#parties ??= loadParties({}, this.#parts.env).then((own) => openParties(own, this.#parts));
    const { calls } = await playFlow(flow, await this.#parties, 0);
    this.#played.set(flow, calls);
    return calls;
  }
}
