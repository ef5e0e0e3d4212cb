/** What of the flow survives a reload of the page, and how it goes on from there. Patient data never does. */
import { startChecking } from './linking.ts';
import type { Attribute, Ending, EndingStep, Model, Session, Transition } from './state.ts';
import { codeStep, EMPTY_ATTRIBUTE, signInStep } from './steps.ts';
import { stay } from './transition.ts';

export type Snapshot =
  | { at: 'code'; attribute: Attribute; digits: number | undefined }
  | { at: 'session'; attribute: Attribute; session: Session; reportDue: boolean }
  /** The EHR server's part of an ending is done, the authorization server's is not. */
  | { at: 'finish'; attribute: Attribute; session: Session; ending: Ending };

/** What to keep of `model`; undefined when there is nothing to go on from. */
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
      if (step.ehrDone) return { at: 'finish', attribute: step.attribute, session: step.session, ending: step.ending };
      return session(step, reportDue(step.origin));
  }
}

/** Begins the flow: anew, or from what an earlier visit of this tab left. A session's record is asked for at once. */
export function boot(snapshot: Snapshot | undefined): Transition {
  const model: Model = { step: signInStep(snapshot?.attribute ?? EMPTY_ATTRIBUTE), waiting: undefined, asked: 0 };
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
      return stay({
        ...model,
        step: { at: 'ending', attribute, session: held, ending, part: 'auth', ehrDone: true, origin: undefined },
      });
    }
  }
}

/** Whether the authorization server may still have to be told of the link, as it stood when the ending began. */
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
