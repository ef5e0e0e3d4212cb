/** What survives a reload of the page, and how the flow continues from it. Patient data is never kept. */
import { startChecking } from './linking.ts';
import type { Attribute, Ending, EndingStep, Model, Session, Transition } from './state.ts';
import { codeStep, EMPTY_ATTRIBUTE, signInStep, stay } from './transition.ts';

export type Snapshot =
  | { at: 'code'; attribute: Attribute; digits: number | undefined }
  | { at: 'session'; attribute: Attribute; session: Session; reportDue: boolean }
  /** The EHR server has done its part of an ending, the authorization server has not. */
  | { at: 'finish'; attribute: Attribute; session: Session; ending: Ending };

/** Returns what to keep of `model`, or undefined when there is nothing to continue from. */
export function snapshotOf({ step }: Model): Snapshot | undefined {
  switch (step.at) {
    case 'signIn':
    case 'ended':
      return undefined;
    case 'code':
      return { at: 'code', attribute: step.attribute, digits: step.digits };
    case 'checking':
      return session(step, step.reportDue);
    case 'identify':
      return session(step, true);
    case 'record':
      return session(step, step.report !== 'done');
    case 'ending':
      if (step.ehrDone)
        return { at: 'finish', attribute: step.attribute, session: step.session, ending: step.ending };
      return session(step, reportDue(step.origin));
  }
}

/** Starts the flow afresh, or from the snapshot of this tab. With a session, asks for its record at once. */
export function boot(snapshot: Snapshot | undefined): Transition {
  const model: Model = {
    step: signInStep(snapshot?.attribute ?? EMPTY_ATTRIBUTE),
    waiting: undefined,
    asked: 0,
  };
  switch (snapshot?.at) {
    case undefined:
      return stay(model);
    case 'code':
      return stay({ ...model, step: { ...codeStep(snapshot.attribute), digits: snapshot.digits } });
    case 'session':
      return startChecking(model, {
        session: snapshot.session,
        attribute: snapshot.attribute,
        linkGone: false,
        reportDue: snapshot.reportDue,
      });
    case 'finish': {
      const { attribute, session: held, ending } = snapshot;
      const rest = { part: 'auth', ehrDone: true, origin: undefined } as const;
      return stay({ ...model, step: { at: 'ending', attribute, session: held, ending, ...rest } });
    }
  }
}

/**
 * Tells whether the link may still have to be reported to the authorization server, as of the start of the
 * ending.
 */
function reportDue(origin: EndingStep['origin']): boolean {
  switch (origin?.at) {
    case 'identify':
      return true;
    case 'checking':
      return origin.reportDue;
    case 'record':
      return origin.report !== 'done';
    case undefined:
      return false;
  }
}

function session(step: { attribute: Attribute; session: Session }, reportDue: boolean): Snapshot {
  return { at: 'session', attribute: step.attribute, session: step.session, reportDue };
}
