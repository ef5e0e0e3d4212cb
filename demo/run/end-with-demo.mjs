/**
 * Loaded into each party before its own code. When the demo is killed and cannot stop its parties, they stop
 * by themselves.
 */
import { endWithParent } from '#scripts/set-up/end-with-parent.mjs';

endWithParent();
