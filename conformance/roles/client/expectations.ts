/** What must come of a step of a person: each is kept with the step in the journal. */
import type { Expects } from '../../engine/journal/entry.ts';
import { type Screen, screens } from './drivers/driver.ts';

/** `check`: it alone judges the step. `where`: the step counts only where this was called, or refused. */
type More = { check?: string; where?: string };

/** The step must lead to one of these screens. Of several steps with one label the last one counts. */
export const leadsTo = (to: readonly Screen[], more: More = {}): Expects => ({
  ...{ must: 'lead to', screens: [...to], ...more },
});

/** The step must end with a sentence that says what is the matter, on one of these screens; on any if none. */
export const tells = (on: readonly Screen[] = [], more: More = {}): Expects => ({
  ...{ must: 'tell', screens: [...(on.length > 0 ? on : screens)], ...more },
});

/** Of `where`: the step counts only where get_patient was refused in it. */
export const READ_REFUSED = 'get_patient refused';
