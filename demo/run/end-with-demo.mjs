/** Loaded into each party before its own code: it stops when the demo is killed. */
import { endWithParent } from '#scripts/set-up/end-with-parent.mjs';

endWithParent();
