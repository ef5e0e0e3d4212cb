/** Lists the flows and checks of a client. */
import type { Check } from '../../../engine/check/check.ts';
import type { ClientFlow } from '../flow.ts';
import { browserFlows } from './browser.ts';
import { endingFlows, forgettingFlows } from './endings/endings.ts';
import { halfEndingFlows } from './endings/failing-endings.ts';
import { actionRules, linksEndWhenAsked } from './every-step/action-rules.ts';
import { messageRules } from './every-step/message-rules.ts';
import { screenRules } from './every-step/screen-rules.ts';
import { linkingFlows } from './linking.ts';
import { recordFlows } from './record.ts';
import { formFlows, replyFlows } from './replies.ts';
import { sameCallsFlows } from './same-calls.ts';
import { keepingFlows, meanwhileFlows, sessionFlows } from './sessions.ts';
import { troubleFlows } from './troubles.ts';

/** In the order in which they are played. The first take longest, and the others are played beside them. */
export const clientFlows: readonly ClientFlow[] = [
  ...halfEndingFlows,
  ...meanwhileFlows,
  ...troubleFlows,
  ...linkingFlows,
  ...formFlows,
  ...endingFlows,
  ...keepingFlows,
  ...forgettingFlows,
  ...recordFlows,
  ...sessionFlows,
  ...sameCallsFlows,
  ...replyFlows,
  ...browserFlows,
];

export const allClientChecks: readonly Check[] = [
  ...clientFlows.flatMap(({ checks }) => checks),
  linksEndWhenAsked,
  ...screenRules,
  ...actionRules,
  ...messageRules,
];
