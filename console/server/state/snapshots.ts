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
  #kept: readonly Kept[] = [];
  #taken = 0;

  constructor(ehr: ControlPort, auth: ControlPort) {
    this.#ehr = ehr;
    this.#auth = auth;
  }

  /** Newest first. */
  list(): Snapshot[] {
    return this.#kept.map(({ id, name, at }) => ({ id, name, at }));
  }

  async take(name: string, at: number, circumstances: Circumstances): Promise<Snapshot> {
    if (this.#kept.length >= MAX_SNAPSHOTS)
      throw new NotPossible(`The demo keeps ${MAX_SNAPSHOTS} snapshots. Please delete one first.`);
    const [ehr, auth] = await Promise.all([
      this.#ehr.post<{ id: number }>('/snapshots'),
      this.#auth.post<{ id: number }>('/snapshots'),
    ]);
    const id = ++this.#taken;
    this.#kept = [{ id, name, at, ids: { ehr: ehr.id, auth: auth.id }, circumstances }, ...this.#kept];
    return { id, name, at };
  }

  /**
   * Puts the rows of both servers back. Returns the circumstances.
   * @throws NotFound when there is no such snapshot
   */
  async restore(id: number): Promise<Circumstances & { at: number }> {
    const kept = this.#find(id);
    await Promise.all([
      this.#ehr.post(`/snapshots/${kept.ids.ehr}/restore`),
      this.#auth.post(`/snapshots/${kept.ids.auth}/restore`),
    ]);
    return { ...kept.circumstances, at: kept.at };
  }

  /**
   * Deletes a snapshot, at both servers too. Returns those that are left, newest first.
   * @throws NotFound when there is no such snapshot
   */
  async delete(id: number): Promise<Snapshot[]> {
    const { ids } = this.#find(id);
    this.#kept = this.#kept.filter((snapshot) => snapshot.id !== id);
    await Promise.all([
      this.#ehr.delete(`/snapshots/${ids.ehr}`),
      this.#auth.delete(`/snapshots/${ids.auth}`),
    ]);
    return this.list();
  }

  /** Empties both servers. */
  async clear(): Promise<void> {
    await Promise.all([this.#ehr.post('/clear'), this.#auth.post('/clear')]);
  }

  #find(id: number): Kept {
    const kept = this.#kept.find((snapshot) => snapshot.id === id);
    if (!kept) throw new NotFound('There is no such snapshot.');
    return kept;
  }
}
