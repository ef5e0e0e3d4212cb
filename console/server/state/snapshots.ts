/** Snapshots of both servers, which keep the rows themselves, with clock, trouble and scenario. */
import type { ArmFault, Skews, Snapshot, TextTrouble } from '../../api.ts';
import type { ControlPort } from '../control-port.ts';
import { NotFound, NotPossible } from '../refused.ts';
import type { Played } from '../scenarios/player.ts';

/** What is kept here beside the servers' rows. */
export type Circumstances = {
  movedMs: number;
  skewMs: Skews;
  /** Armed by hand. */
  faults: ArmFault[];
  /** Armed by steps of the scenario. */
  faultsOfScenario: ArmFault[];
  textTrouble: TextTrouble;
  played: Played;
};

type Kept = Snapshot & { ids: { ehr: number; auth: number }; circumstances: Circumstances };

/** The servers keep them in memory. */
const MAX_SNAPSHOTS = 50;

export class Snapshots {
  readonly #ehr: ControlPort;
  readonly #auth: ControlPort;
  readonly #kept: Kept[] = [];

  constructor(ehr: ControlPort, auth: ControlPort) {
    this.#ehr = ehr;
    this.#auth = auth;
  }

  /** Newest first. */
  list(): Snapshot[] {
    return this.#kept.map(({ id, name, at }) => ({ id, name, at })).reverse();
  }

  async take(name: string, at: number, circumstances: Circumstances): Promise<Snapshot> {
    if (this.#kept.length >= MAX_SNAPSHOTS)
      throw new NotPossible(`${MAX_SNAPSHOTS} snapshots are kept, which are all that the demo keeps.`);
    const [ehr, auth] = await Promise.all([
      this.#ehr.post<{ id: number }>('/snapshots'),
      this.#auth.post<{ id: number }>('/snapshots'),
    ]);
    const kept = { id: this.#kept.length + 1, name, at, ids: { ehr: ehr.id, auth: auth.id }, circumstances };
    this.#kept.push(kept);
    return { id: kept.id, name, at };
  }

  /**
   * Puts the rows of both servers back. Returns the circumstances.
   * @throws NotFound when there is no such snapshot
   */
  async restore(id: number): Promise<Circumstances & { at: number }> {
    const kept = this.#kept.find((snapshot) => snapshot.id === id);
    if (!kept) throw new NotFound('There is no such snapshot.');
    await Promise.all([
      this.#ehr.post(`/snapshots/${kept.ids.ehr}/restore`),
      this.#auth.post(`/snapshots/${kept.ids.auth}/restore`),
    ]);
    return { ...kept.circumstances, at: kept.at };
  }

  /** Empties both servers. */
  async clear(): Promise<void> {
    await Promise.all([this.#ehr.post('/clear'), this.#auth.post('/clear')]);
  }
}
