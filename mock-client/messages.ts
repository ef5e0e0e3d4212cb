/**
 * The texts of the client: for every failure of a call, a sentence that a patient understands and the way to
 * continue.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import type { Failure, ServerName } from './calls.ts';

/**
 * What the user can do, offered beside the sentence: `retry` the same call, `correct` the input, get a
 * `new-code`, or `log-out` and start again.
 */
export type Way = 'retry' | 'correct' | 'new-code' | 'log-out';

export type Message = { title: string; text: string; way: Way };

const SERVER_NAMES: Record<ServerName, string> = { auth: 'the sign-in server', ehr: 'the records server' };

/** `{server}` is replaced by the name of the server that refused. */
export const reasonMessages: Record<Reason, Message> = {
  parse_error: {
    title: 'That did not get through',
    text: 'The message to {server} was damaged on its way. Please try again.',
    way: 'retry',
  },
  invalid_request: {
    title: 'That did not get through',
    text: 'The message to {server} was not in the form it expects. Please try again; if it happens again, reload this page.',
    way: 'retry',
  },
  method_not_found: {
    title: 'Not available here',
    text: 'This app and {server} do not fit together: it does not offer what you asked for. Please tell your clinic.',
    way: 'retry',
  },
  invalid_params: {
    title: 'Please check what you entered',
    text: 'Something you entered is not in the form {server} accepts. Please check it and try again.',
    way: 'correct',
  },
  internal_error: {
    title: 'Something went wrong',
    text: 'Something went wrong at {server}. It is not your fault. Please try again in a moment.',
    way: 'retry',
  },
  not_authorized: {
    title: 'You are not signed in there',
    text: 'Nobody is signed in at {server} with this session. Try again, or log out and sign in anew.',
    way: 'log-out',
  },
  session_expired: {
    title: 'Your session has ended',
    text: 'For your safety a session lasts only so long. Please sign in again.',
    way: 'log-out',
  },
  exchange_token_unknown: {
    title: 'Please send your details once more',
    text: 'The one-time pass for your details was no longer accepted. A new one will be used when you send them again.',
    way: 'retry',
  },
  exchange_token_expired: {
    title: 'Please send your details once more',
    text: 'More than ten minutes have passed, so the one-time pass for your details has run out. A new one will be used when you send them again.',
    way: 'retry',
  },
  exchange_token_exhausted: {
    title: 'Too many attempts',
    text: 'Your details did not fit several times. Please check each of them, or ask your clinic what is written in your record. A new one-time pass will be used when you send them again.',
    way: 'correct',
  },
  too_many_failed_matches: {
    title: 'Too many attempts',
    text: 'Details like these did not fit many times. For safety no more are tried for now. Please wait an hour, or ask your clinic what is written in your record.',
    way: 'correct',
  },
  access_forbidden: {
    title: 'Not available here',
    text: 'At this address {server} does not serve this app. Please tell your clinic.',
    way: 'retry',
  },
  patient_already_matched: {
    title: 'Your account belongs to another record',
    text: 'You have already connected a different record. Enter the details of that record, or ask your clinic for help.',
    way: 'correct',
  },
  patient_not_matched: {
    title: 'We could not find your record',
    text: 'No single record fits these details. Please check the spelling, the date of birth and the phone number your clinic knows, and try again.',
    way: 'correct',
  },
  token_already_stored: {
    title: 'Please sign in again',
    text: 'This sign-in was used before and cannot open your record. Log out, then sign in with a new code.',
    way: 'log-out',
  },
  exchange_token_already_stored: {
    title: 'Please send your details once more',
    text: 'The one-time pass for your details was used before. Please try again.',
    way: 'retry',
  },
  user_unknown: {
    title: 'Your account could not be found',
    text: 'The sign-in server has no entry that connects you to a record. Please try again, or ask your clinic for help.',
    way: 'retry',
  },
  patient_already_linked: {
    title: 'This record is already connected',
    text: 'This record is connected to another account. If that account is yours, sign in with it; if not, please tell your clinic.',
    way: 'log-out',
  },
  otp_wrong: {
    title: 'That code is not right',
    text: 'Please check the newest message and enter its code again.',
    way: 'correct',
  },
  otp_expired: {
    title: 'That code is too old',
    text: 'A code works for a few minutes only. Please ask for a new one.',
    way: 'new-code',
  },
  otp_exhausted: {
    title: 'Too many wrong codes',
    text: 'For your safety this code no longer works. Please ask for a new one.',
    way: 'new-code',
  },
  otp_throttled: {
    title: 'A code is on its way',
    text: 'A code was sent a moment ago. Please wait a little before you ask for another one.',
    way: 'correct',
  },
  otp_limit_reached: {
    title: 'No more codes today',
    text: 'Too many codes were sent for today. Please try again tomorrow.',
    way: 'correct',
  },
  ehr_unreachable: {
    title: 'The records server cannot be reached',
    text: 'You did everything right, but the sign-in server could not reach the records server. Please try again in a moment.',
    way: 'retry',
  },
  ehr_timeout: {
    title: 'The records server is slow',
    text: 'The records server did not answer the sign-in server in time. Please try again in a moment.',
    way: 'retry',
  },
  ehr_bad_reply: {
    title: 'The records server has a problem',
    text: 'The sign-in server could not understand the answer of the records server. Please try again in a moment.',
    way: 'retry',
  },
  ehr_refused: {
    title: 'The records server said no',
    text: 'The records server refused what the sign-in server asked for you. Please try again; if it happens again, ask your clinic for help.',
    way: 'retry',
  },
};

/**
 * Returns the message for any failure. A refusal whose reason is not in the table gets a text of what is
 * certain about it.
 */
export function failureMessage(failure: Failure): Message {
  const said = messageOf(failure);
  return { ...said, text: said.text.replaceAll('{server}', SERVER_NAMES[failure.server]) };
}

function messageOf(failure: Failure): Message {
  const server = SERVER_NAMES[failure.server];
  const Server = capitalised(server);
  switch (failure.kind) {
    case 'refused':
      if (failure.reason) return reasonMessages[failure.reason];
      return {
        title: 'That was refused',
        text: `${Server} refused this without saying why. Please try again.`,
        way: 'retry',
      };
    case 'unreachable':
      return {
        title: `${Server} cannot be reached`,
        text: 'Please check your connection and try again in a moment.',
        way: 'retry',
      };
    case 'timeout':
      return {
        title: `${Server} is slow`,
        text: 'It did not answer within ten seconds. Please try again.',
        way: 'retry',
      };
    case 'nonsense':
      return {
        title: `${Server} has a problem`,
        text: 'Its answer could not be understood. Please try again in a moment.',
        way: 'retry',
      };
    case 'http':
      return messageOfStatus(failure.status, Server);
  }
}

function messageOfStatus(status: number, Server: string): Message {
  if (status === 429) {
    return {
      title: 'A little too fast',
      text: `${Server} asks for a pause. Please wait a minute, then try again.`,
      way: 'retry',
    };
  }
  return {
    title: `${Server} has a problem`,
    text: `It answered with an error (HTTP ${status}). Please try again in a moment.`,
    way: 'retry',
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
