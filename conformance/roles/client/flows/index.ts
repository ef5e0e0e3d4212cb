/** Lists all checks of a client. */
import type { Check } from '../../../engine/check/check.ts';
import type { ClientCheck, ClientScenario } from '../check.ts';
import { browserChecks } from './browser.ts';
import { endedAtBoth, endingChecks } from './endings/endings.ts';
import { failedEndings, halfEndingChecks, halfLogoutTold } from './endings/failing-endings.ts';
import { forgettingChecks } from './endings/forgetting.ts';
import { errorChecks, formChecks, refusalsTold } from './errors.ts';
import { actionRules, linksEndWhenAsked } from './every-step/action-rules.ts';
import { messageRules } from './every-step/message-rules.ts';
import { messageCheck, stepCheck } from './every-step/rules.ts';
import { screenRules } from './every-step/screen-rules.ts';
import { expiredSessionLeadsOn, flowChecks, linkReportedAtOnce } from './flow.ts';
import { keepingChecks } from './keeping.ts';
import { recordChecks, recordWithGaps } from './record.ts';
import { replyChecks } from './replies.ts';
import { sameCallsChecks } from './same-calls.ts';
import { meanwhileChecks, sessionChecks } from './sessions.ts';
import { troubleChecks, troubleScenarios } from './troubles.ts';

const clientChecks: readonly ClientCheck[] = [
  ...flowChecks,
  ...formChecks,
  ...endingChecks,
  ...halfEndingChecks,
  ...keepingChecks,
  ...forgettingChecks,
  ...recordChecks,
  ...meanwhileChecks,
  ...sessionChecks,
  ...sameCallsChecks,
  ...replyChecks,
  ...errorChecks,
  ...browserChecks,
];

/** They wait longest for a client or a late reply, so they begin first, and the others are played beside them. */
const longest = [...halfEndingChecks, ...meanwhileChecks].map(({ scenario }) => scenario);

export const clientScenarios: readonly ClientScenario[] = [
  ...new Set([...longest, ...troubleScenarios, ...clientChecks.map(({ scenario }) => scenario)]),
];

export const allClientChecks: readonly Check[] = [
  ...clientChecks.map(({ check }) => check),
  stepCheck(linksEndWhenAsked),
  ...endedAtBoth,
  halfLogoutTold,
  ...failedEndings,
  expiredSessionLeadsOn,
  linkReportedAtOnce,
  ...refusalsTold,
  recordWithGaps,
  ...troubleChecks,
  ...[...screenRules, ...actionRules].map(stepCheck),
  ...messageRules.map(messageCheck),
];
