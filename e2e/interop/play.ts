/** Plays the flows over the combinations of a matrix. */
import { sideBySide } from '#conformance/engine/check/playing.ts';
import type { Flow } from '../flows/flow.ts';
import type { LoadedParties, Role } from '../parties/load.ts';
import { openParties, type Parties, type PartiesParts, PartyStartError } from '../parties/open.ts';
import { differenceText, explain, type PlayedFlow, playFlow } from '../play-flows.ts';
import type { Combination } from './settings.ts';

export type Cell = {
  readonly names: Readonly<Record<Role, string>>;
  readonly flows: readonly CellFlow[];
  readonly notStarted: string | undefined;
  readonly seconds: number;
};

export type CellFlow = Pick<PlayedFlow, 'outcome' | 'because'> & {
  readonly name: string;
  readonly difference: string | undefined;
};

/** Servers wait more than they compute, so two combinations are played at the same time. */
const AT_ONCE = 2;

/** Plays all combinations, and reports each as soon as it is known. Returns the cells in their order. */
export async function playMatrix(
  { combinations, flows }: { combinations: readonly Combination[]; flows: readonly Flow[] },
  parts: PartiesParts,
  onCell: (cell: Cell) => void,
): Promise<Cell[]> {
  const cells = new Map<Combination, Cell>();
  const play = async (combination: Combination) => {
    const cell = await playCell(combination, flows, parts);
    cells.set(combination, cell);
    onCell(cell);
  };
  const length = combinations.every(({ loaded }) => choosesPorts(loaded)) ? AT_ONCE : 1;
  const [trouble] = await sideBySide(combinations, Array.from({ length }), play);
  if (trouble) throw trouble;
  return combinations.flatMap((combination) => cells.get(combination) ?? []);
}

/** Whether the kit starts the servers at ports of its choice, so that two runs do not meet. */
function choosesPorts({ auth, ehr }: LoadedParties): boolean {
  const { ports, server, ehr: kit, otp } = auth.loaded.settings;
  const ofEhr = Object.values(ehr?.settings.ports ?? {});
  const given = [...Object.values(ports), kit.listen, otp?.sink?.port ?? 0, ...ofEhr];
  const isStarted = server.start !== undefined && (!ehr || ehr.settings.server.start !== undefined);
  return isStarted && given.every((port) => port === 0);
}

async function playCell(
  { files, loaded }: Combination,
  flows: readonly Flow[],
  parts: PartiesParts,
): Promise<Cell> {
  parts.signal.throwIfAborted();
  const begun = parts.clock.now();
  const secondsSince = () => (parts.clock.now() - begun) / 1_000;
  let parties: Parties;
  try {
    parties = await openParties(loaded, parts);
  } catch (error) {
    if (!(error instanceof PartyStartError)) throw error;
    return { names: files, flows: [], notStarted: error.message, seconds: secondsSince() };
  }
  const { client, auth, ehr } = parties;
  const names = { client: client.name, 'auth-server': auth.name, 'ehr-server': ehr.name };
  try {
    const played: CellFlow[] = [];
    for (const [turn, flow] of flows.entries()) {
      const one = explain(await playFlow(flow, parties, turn), parties);
      const { outcome, because } = one;
      played.push({ name: flow.name, outcome, because, difference: differenceText(one) });
    }
    return { names, flows: played, notStarted: undefined, seconds: secondsSince() };
  } finally {
    await parties.close();
  }
}

export const countOf = ({ flows: played }: Cell, wanted: PlayedFlow['outcome']): number =>
  played.filter(({ outcome }) => outcome === wanted).length;

export const isGreen = (cell: Cell): boolean =>
  cell.notStarted === undefined && countOf(cell, 'failed') === 0 && countOf(cell, 'passed') > 0;
