/** The texts of the client after a success and after endings. */
import type { Ending, Notice } from './flow/state.ts';

export const noticeMessages: Record<Notice, string> = {
  session_ended: 'Your session has ended. Please sign in again.',
  session_ended_before_delete:
    'Your session has ended. Your records are disconnected, but the sign-in server had not deleted your data yet. Please sign in again.',
  delete_unconfirmed:
    'Your records are disconnected. The sign-in server no longer knows this session, so it could not confirm that your data is deleted. You can sign in again to check.',
  new_code_sent: 'A new code is on its way. Earlier codes no longer work.',
  code_already_sent: 'A code was sent a moment ago. Enter it here, or wait a little and ask for a new one.',
  link_gone:
    'Your records are no longer connected, perhaps because you disconnected them on another device. You can connect them again here.',
  disconnected: 'Your records are disconnected. You are still signed in and can connect them again.',
  ehr_session_gone:
    'The records server had already ended your session there. You can connect your records again, or log out.',
  ehr_session_gone_before_delete:
    'The records server had already ended your session there, so nothing was deleted. To delete your data, connect your records again first. You can also just log out.',
};

export type EndingWords = {
  /** Shown while the ending is in progress. */
  busy: string;
  /** The EHR server's part failed: nothing has changed. */
  ehrFailed: { title: string; text: string };
  /** The EHR server has done its part, the authorization server has not. */
  authFailed: { title: string; text: string; finish: string };
};

export const endingWords: Record<Ending, EndingWords> = {
  logout: {
    busy: 'Logging you out…',
    ehrFailed: { title: 'You are still signed in', text: 'Logging out did not work, and nothing has changed.' },
    authFailed: {
      title: 'Almost logged out',
      text: 'The records server has ended your session. The sign-in server has not yet.',
      finish: 'Finish logging out',
    },
  },
  disconnect: {
    busy: 'Disconnecting your records…',
    ehrFailed: { title: 'Your records are still connected', text: 'Disconnecting did not work. You can try again.' },
    authFailed: { title: 'Almost done', text: 'One step is left.', finish: 'Finish' },
  },
  delete: {
    busy: 'Deleting your data…',
    ehrFailed: {
      title: 'Your data was not deleted',
      text: 'Disconnecting your records comes first, and it did not work. Nothing was deleted.',
    },
    authFailed: {
      title: 'Almost deleted',
      text: 'Your records are disconnected. The sign-in server has not deleted your data yet.',
      finish: 'Finish deleting',
    },
  },
};
