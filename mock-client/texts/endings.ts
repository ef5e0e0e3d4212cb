/** The texts after a success and after endings. English, Russian, German. */
import type { Ending, Notice } from '../flow/state.ts';
import { type MessageText, message, type Row } from './language.ts';

export const noticeTexts: Readonly<Record<Notice, Row>> = {
  session_ended: [
    'Your session has ended. Please sign in again.',
    'Сеанс закончился. Войдите снова.',
    'Ihre Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.',
  ],
  session_ended_before_delete: [
    'Your session has ended. Your records are disconnected, but the sign-in server had not deleted your data yet. Please sign in again.',
    'Сеанс закончился. Медкарта отключена, но сервер входа ещё не удалил ваши данные. Войдите снова.',
    'Ihre Sitzung ist abgelaufen. Ihre Akte ist getrennt, aber der Anmeldeserver hatte Ihre Daten noch nicht gelöscht. Bitte melden Sie sich erneut an.',
  ],
  delete_unconfirmed: [
    'Your records are disconnected. The sign-in server no longer knows this session, so it could not confirm that your data is deleted. You can sign in again to check.',
    'Медкарта отключена. Сервер входа больше не знает этого сеанса и не смог подтвердить удаление данных. Чтобы проверить, войдите снова.',
    'Ihre Akte ist getrennt. Der Anmeldeserver kennt diese Sitzung nicht mehr und konnte das Löschen Ihrer Daten nicht bestätigen. Melden Sie sich erneut an, um nachzusehen.',
  ],
  new_code_sent: [
    'A new code is on its way. Earlier codes no longer work.',
    'Новый код в пути. Прежние коды больше не действуют.',
    'Ein neuer Code ist unterwegs. Frühere Codes gelten nicht mehr.',
  ],
  code_already_sent: [
    'A code was sent a moment ago. Enter it here, or wait a little and ask for a new one.',
    'Код только что отправлен. Введите его здесь или подождите немного и запросите новый.',
    'Gerade wurde ein Code gesendet. Geben Sie ihn hier ein, oder warten Sie etwas und fordern Sie einen neuen an.',
  ],
  link_gone: [
    'Your records are no longer connected, perhaps because you disconnected them on another device. You can connect them again here.',
    'Медкарта больше не подключена: возможно, вы отключили её на другом устройстве. Здесь её можно подключить снова.',
    'Ihre Akte ist nicht mehr verbunden, vielleicht weil Sie sie auf einem anderen Gerät getrennt haben. Hier können Sie sie wieder verbinden.',
  ],
  disconnected: [
    'Your records are disconnected. You are still signed in and can connect them again.',
    'Медкарта отключена. Вы всё ещё в системе и можете подключить её снова.',
    'Ihre Akte ist getrennt. Sie sind noch angemeldet und können sie wieder verbinden.',
  ],
  ehr_session_gone: [
    'The records server had already ended your session there. You can connect your records again, or log out.',
    'Сервер медкарт уже завершил ваш сеанс. Можно подключить медкарту снова или выйти.',
    'Der Aktenserver hatte Ihre Sitzung dort schon beendet. Sie können Ihre Akte wieder verbinden oder sich abmelden.',
  ],
  ehr_session_gone_before_delete: [
    'The records server had already ended your session there, so nothing was deleted. To delete your data, connect your records again first. You can also just log out.',
    'Сервер медкарт уже завершил ваш сеанс, поэтому ничего не удалено. Чтобы удалить данные, сначала снова подключите медкарту. Можно и просто выйти.',
    'Der Aktenserver hatte Ihre Sitzung dort schon beendet, deshalb wurde nichts gelöscht. Um Ihre Daten zu löschen, verbinden Sie zuerst Ihre Akte wieder. Sie können sich auch einfach abmelden.',
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
    busy: ['Logging you out…', 'Выходим…', 'Sie werden abgemeldet …'],
    ehrFailed: message(
      ['You are still signed in', 'Вы ещё не вышли', 'Sie sind noch angemeldet'],
      'Logging out did not work, and nothing has changed.',
      'Выйти не удалось, ничего не изменилось.',
      'Das Abmelden hat nicht geklappt, und nichts hat sich geändert.',
    ),
    authFailed: message(
      ['Almost logged out', 'Почти вышли', 'Fast abgemeldet'],
      'The records server has ended your session. The sign-in server has not yet.',
      'Сервер медкарт завершил ваш сеанс, сервер входа — ещё нет.',
      'Der Aktenserver hat Ihre Sitzung beendet, der Anmeldeserver noch nicht.',
    ),
  },
  disconnect: {
    busy: ['Disconnecting your records…', 'Отключаем медкарту…', 'Ihre Akte wird getrennt …'],
    ehrFailed: message(
      ['Your records are still connected', 'Медкарта ещё подключена', 'Ihre Akte ist noch verbunden'],
      'Disconnecting did not work. You can try again.',
      'Отключить не удалось. Можно повторить.',
      'Das Trennen hat nicht geklappt. Sie können es erneut versuchen.',
    ),
    authFailed: message(
      ['Almost done', 'Почти готово', 'Fast fertig'],
      'One step is left.',
      'Остался один шаг.',
      'Ein Schritt fehlt noch.',
    ),
  },
  delete: {
    busy: ['Deleting your data…', 'Удаляем ваши данные…', 'Ihre Daten werden gelöscht …'],
    ehrFailed: message(
      ['Your data was not deleted', 'Ваши данные не удалены', 'Ihre Daten wurden nicht gelöscht'],
      'Disconnecting your records comes first, and it did not work. Nothing was deleted.',
      'Сначала нужно отключить медкарту, а это не удалось. Ничего не удалено.',
      'Zuerst muss Ihre Akte getrennt werden, und das hat nicht geklappt. Nichts wurde gelöscht.',
    ),
    authFailed: message(
      ['Almost deleted', 'Почти удалено', 'Fast gelöscht'],
      'Your records are disconnected. The sign-in server has not deleted your data yet.',
      'Медкарта отключена. Сервер входа ещё не удалил ваши данные.',
      'Ihre Akte ist getrennt. Der Anmeldeserver hat Ihre Daten noch nicht gelöscht.',
    ),
  },
};
