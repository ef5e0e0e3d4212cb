/** The texts after a success and after endings. English, Russian. */
import type { Ending, Notice } from '../flow/state.ts';
import { type MessageText, message, type Row } from './language.ts';

export const noticeTexts: Readonly<Record<Notice, Row>> = {
  session_ended: ['Your session has ended. Please sign in again.', 'Сеанс закончился. Войдите снова.'],
  session_ended_before_delete: [
    'Your session has ended. Your records are disconnected, but the sign-in server had not deleted your data yet. Please sign in again.',
    'Сеанс закончился. Медкарта отключена, но сервер входа ещё не удалил ваши данные. Войдите снова.',
  ],
  delete_unconfirmed: [
    'Your records are disconnected. The sign-in server no longer knows this session, so it could not confirm that your data is deleted. You can sign in again to check.',
    'Медкарта отключена. Сервер входа больше не знает этого сеанса и не смог подтвердить удаление данных. Чтобы проверить, войдите снова.',
  ],
  new_code_sent: [
    'A new code is on its way. Earlier codes no longer work.',
    'Новый код в пути. Прежние коды больше не действуют.',
  ],
  code_already_sent: [
    'A code was sent a moment ago. Enter it here, or wait a little and ask for a new one.',
    'Код только что отправлен. Введите его здесь или подождите немного и запросите новый.',
  ],
  link_gone: [
    'Your records are no longer connected, perhaps because you disconnected them on another device. You can connect them again here.',
    'Медкарта больше не подключена: возможно, вы отключили её на другом устройстве. Здесь её можно подключить снова.',
  ],
  disconnected: [
    'Your records are disconnected. You are still signed in and can connect them again.',
    'Медкарта отключена. Вы всё ещё в системе и можете подключить её снова.',
  ],
  ehr_session_gone: [
    'The records server had already ended your session there. You can connect your records again, or log out.',
    'Сервер медкарт уже завершил ваш сеанс. Можно подключить медкарту снова или выйти.',
  ],
  ehr_session_gone_before_delete: [
    'The records server had already ended your session there, so nothing was deleted. To delete your data, connect your records again first. You can also just log out.',
    'Сервер медкарт уже завершил ваш сеанс, поэтому ничего не удалено. Чтобы удалить данные, сначала снова подключите медкарту. Можно и просто выйти.',
  ],
};

export type EndingTexts = {
  /** Shown while the ending is in progress. */
  readonly busy: Row;
  /** The EHR server's part failed: nothing has changed. */
  readonly ehrFailed: MessageText;
  /** The EHR server has done its part, the authorization server has not. */
  readonly authFailed: MessageText;
};

export const endingTexts: Readonly<Record<Ending, EndingTexts>> = {
  logout: {
    busy: ['Logging you out…', 'Выходим…'],
    ehrFailed: message(
      ['You are still signed in', 'Вы ещё не вышли'],
      'Logging out did not work, and nothing has changed.',
      'Выйти не удалось, ничего не изменилось.',
    ),
    authFailed: message(
      ['Almost logged out', 'Почти вышли'],
      'The records server has ended your session. The sign-in server has not yet.',
      'Сервер медкарт завершил ваш сеанс, сервер входа — ещё нет.',
    ),
  },
  disconnect: {
    busy: ['Disconnecting your records…', 'Отключаем медкарту…'],
    ehrFailed: message(
      ['Your records are still connected', 'Медкарта ещё подключена'],
      'Disconnecting did not work. You can try again.',
      'Отключить не удалось. Можно повторить.',
    ),
    authFailed: message(['Almost done', 'Почти готово'], 'One step is left.', 'Остался один шаг.'),
  },
  delete: {
    busy: ['Deleting your data…', 'Удаляем ваши данные…'],
    ehrFailed: message(
      ['Your data was not deleted', 'Ваши данные не удалены'],
      'Disconnecting your records comes first, and it did not work. Nothing was deleted.',
      'Сначала нужно отключить медкарту, а это не удалось. Ничего не удалено.',
    ),
    authFailed: message(
      ['Almost deleted', 'Почти удалено'],
      'Your records are disconnected. The sign-in server has not deleted your data yet.',
      'Медкарта отключена. Сервер входа ещё не удалил ваши данные.',
    ),
  },
};
