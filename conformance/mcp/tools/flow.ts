/** The tool `flow`: plays a scenario with the right party of this project, and shows its messages. */
import { z } from 'zod';
import { systemClock } from '#protocol/time/clock.ts';
import { JournalView, type PlayedStep } from '../../engine/journal/view.ts';
import { exchangeLines } from '../../engine/report/agent/exchange.ts';
import { fitted } from '../../engine/report/agent/lines.ts';
import { stepText } from '../../engine/report/agent/step-text.ts';
import type { Role } from '../../engine/role.ts';
import { inputs, tool } from '../tool.ts';
import { namesLike, rolesOf } from './names.ts';

/** Limits an exchange, and all that is shown at once. */
const MAX_EXCHANGE_BYTES = 900;
const MAX_FLOW_BYTES = 8_192;

const SEED = 1;

export const flow = tool({
  name: 'flow',
  title: 'How should it look?',
  about:
    "Plays one scenario with the right reference party of this project, and shows its steps with all messages between the parties, secrets masked: how a right party answers. Compare it with the exchange of a cause. It needs no server of yours. The paths and members of your own server's calls may differ where your file says so; what it sends to the EHR server may not.",
  input: z.object({
    name: inputs.text().describe('A check, a scenario or a requirement; of a check the first scenario.'),
    role: inputs.role().optional(),
    from: z.int().min(1).default(1).describe('The first step that is shown.'),
  }),
  plays: true,
  async run({ name, role, from }, { signal }) {
    const all = await rolesOf(role);
    const [found] = all.flatMap((each) => {
      const id = scenarioOf(name, each);
      return id === undefined ? [] : [{ role: each, id }];
    });
    if (!found) return namesLike(name, all);
    const { id } = found;
    const catalogue = await found.role.catalogue();
    const [reference] = catalogue.references;
    if (!reference) throw new Error(`The role ${found.role.id} has no right party.`);
    const options = { clock: systemClock, seed: SEED, signal };
    const run = await catalogue.play(reference, options, { scenarios: [id] });
    const steps = new JournalView(run.entries).stepsOf({ id });
    const title = found.role.scenarios.find((each) => each.id === id)?.title ?? id;
    const head = `flow: ${id} (${title}), ${steps.length} steps, played with the right party of the role ${found.role.id}\n`;
    return [head, ...shown(steps, from)].join('\n');
  },
});

/** The scenario of this name, or the first of the check or requirement of this name. */
function scenarioOf(name: string, { scenarios, checks }: Role): string | undefined {
  if (scenarios.some(({ id }) => id === name)) return name;
  const check =
    checks.find(({ id }) => id === name) ??
    checks.find(({ requirements }) => requirements.some((each) => each === name));
  return check?.scenarios[0];
}

/** The steps that fit, and how to see the next. */
function shown(steps: readonly PlayedStep[], from: number): string[] {
  const blocks: string[] = [];
  let bytes = 0;
  for (const [index, step] of steps.entries()) {
    if (index + 1 < from) continue;
    const block = blockOf(step, index + 1, steps.length);
    bytes += Buffer.byteLength(block);
    if (bytes > MAX_FLOW_BYTES && blocks.length > 0) {
      blocks.push(`more: call flow again with "from": ${index + 1}\n`);
      break;
    }
    blocks.push(block);
  }
  return blocks;
}

function blockOf(played: PlayedStep, place: number, total: number): string {
  const line = { label: `step ${place} of ${total}`, text: stepText(played), quoted: false };
  return [
    fitted([line], MAX_EXCHANGE_BYTES),
    ...played.exchanges.map((exchange) => fitted(exchangeLines(exchange), MAX_EXCHANGE_BYTES)),
  ].join('');
}
