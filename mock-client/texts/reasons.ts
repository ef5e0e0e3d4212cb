/**
 * What the page says for each reason of an error: a sentence that a patient understands. English, Russian,
 * German. `{server}`, `{toServer}` and `{atServer}` stand for the server that refused.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import { type MessageText, message, type Row } from './language.ts';
import { signInReasonTexts } from './reasons-sign-in.ts';

const NOT_THROUGH: Row = ['That did not get through', 'Запрос не дошёл', 'Das kam nicht an'];
const NOT_AVAILABLE: Row = ['Not available here', 'Здесь недоступно', 'Hier nicht verfügbar'];
const TOO_MANY: Row = ['Too many attempts', 'Слишком много попыток', 'Zu viele Versuche'];
const ONCE_MORE: Row = [
  'Please send your details once more',
  'Отправьте данные ещё раз',
  'Bitte senden Sie Ihre Angaben noch einmal',
];

export const reasonTexts: Readonly<Record<Reason, MessageText>> = {
  ...signInReasonTexts,
  parse_error: message(
    NOT_THROUGH,
    'The message to {server} was damaged on its way. Please try again.',
    'Запрос {toServer} повредился в пути. Повторите попытку.',
    'Die Nachricht {toServer} wurde unterwegs beschädigt. Bitte versuchen Sie es erneut.',
  ),
  invalid_request: message(
    NOT_THROUGH,
    'The message to {server} was not in the form it expects. Please try again; if it happens again, reload this page.',
    'Запрос {toServer} пришёл не в той форме. Повторите попытку; если не поможет, обновите страницу.',
    'Die Nachricht {toServer} hatte nicht die erwartete Form. Bitte versuchen Sie es erneut; hilft das nicht, laden Sie die Seite neu.',
  ),
  method_not_found: message(
    NOT_AVAILABLE,
    'This app and {server} do not fit together: it does not offer what you asked for. Please tell your clinic.',
    'Приложение и {server} не подходят друг другу: запрошенного там нет. Сообщите об этом в клинику.',
    'Diese App und {server} passen nicht zusammen: Was Sie möchten, gibt es dort nicht. Bitte sagen Sie es Ihrer Klinik.',
  ),
  invalid_params: message(
    ['Please check what you entered', 'Проверьте введённое', 'Bitte prüfen Sie Ihre Eingabe'],
    'Something you entered is not in the form {server} accepts. Please check it and try again.',
    'Что-то введено в форме, которую {server} не принимает. Проверьте и повторите попытку.',
    'Etwas in Ihrer Eingabe hat eine Form, die {server} nicht annimmt. Bitte prüfen Sie sie und versuchen Sie es erneut.',
  ),
  internal_error: message(
    ['Something went wrong', 'Что-то пошло не так', 'Etwas ist schiefgegangen'],
    'Something went wrong at {server}. It is not your fault. Please try again in a moment.',
    'Произошёл сбой {atServer}. Вы ни при чём. Повторите попытку чуть позже.',
    '{AtServer} ist etwas schiefgegangen. Es liegt nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.',
  ),
  not_authorized: message(
    ['You are not signed in there', 'Вы там не вошли', 'Sie sind dort nicht angemeldet'],
    'Nobody is signed in at {server} with this session. Try again, or log out and sign in again.',
    'В этом сеансе {atServer} никто не вошёл. Повторите попытку или выйдите и войдите снова.',
    'Mit dieser Sitzung ist {atServer} niemand angemeldet. Versuchen Sie es erneut, oder melden Sie sich ab und wieder an.',
  ),
  session_expired: message(
    ['Your session has ended', 'Сеанс закончился', 'Ihre Sitzung ist abgelaufen'],
    'For your safety a session lasts only so long. Please sign in again.',
    'Для вашей безопасности сеанс ограничен по времени. Войдите снова.',
    'Zu Ihrer Sicherheit dauert eine Sitzung nur eine gewisse Zeit. Bitte melden Sie sich erneut an.',
  ),
  exchange_token_unknown: message(
    ONCE_MORE,
    'The one-time pass for your details was no longer accepted. A new one will be used when you send them again.',
    'Разовый пропуск для ваших данных больше не принят. При новой отправке будет другой.',
    'Der Einmalpass für Ihre Angaben wurde nicht mehr angenommen. Beim nächsten Senden gilt ein neuer.',
  ),
  exchange_token_expired: message(
    ONCE_MORE,
    'More than ten minutes have passed, so the one-time pass for your details has run out. A new one will be used when you send them again.',
    'Прошло больше десяти минут, и разовый пропуск для ваших данных истёк. При новой отправке будет другой.',
    'Mehr als zehn Minuten sind vergangen, der Einmalpass für Ihre Angaben ist abgelaufen. Beim nächsten Senden gilt ein neuer.',
  ),
  exchange_token_exhausted: message(
    TOO_MANY,
    'Your details did not fit several times. Please check each of them, or ask your clinic what is written in your record. A new one-time pass will be used when you send them again.',
    'Данные несколько раз не подошли. Проверьте каждое поле или узнайте в клинике, что записано в карте. При новой отправке будет другой разовый пропуск.',
    'Ihre Angaben passten mehrmals nicht. Bitte prüfen Sie jede, oder fragen Sie Ihre Klinik, was in Ihrer Akte steht. Beim nächsten Senden gilt ein neuer Einmalpass.',
  ),
  too_many_failed_matches: message(
    TOO_MANY,
    'Details like these did not fit many times. For safety no more are tried for now. Please wait an hour, or ask your clinic what is written in your record.',
    'Такие данные не подошли много раз. Ради безопасности проверка приостановлена. Подождите час или узнайте в клинике, что записано в карте.',
    'Solche Angaben passten viele Male nicht. Zur Sicherheit werden vorerst keine weiteren geprüft. Bitte warten Sie eine Stunde, oder fragen Sie Ihre Klinik, was in Ihrer Akte steht.',
  ),
  access_forbidden: message(
    NOT_AVAILABLE,
    'At this address {server} does not serve this app. Please tell your clinic.',
    'По этому адресу {server} приложение не обслуживает. Сообщите об этом в клинику.',
    'Unter dieser Adresse bedient {server} diese App nicht. Bitte sagen Sie es Ihrer Klinik.',
  ),
  patient_already_matched: message(
    [
      'Your account belongs to another record',
      'С вашей учётной записью связана другая карта',
      'Ihr Konto gehört zu einer anderen Akte',
    ],
    'You have already connected a different record. Enter the details of that record, or ask your clinic for help.',
    'Вы уже подключили другую карту. Введите данные той карты или обратитесь в клинику.',
    'Sie haben bereits eine andere Akte verbunden. Geben Sie die Angaben jener Akte ein, oder bitten Sie Ihre Klinik um Hilfe.',
  ),
  patient_not_matched: message(
    ['We could not find your record', 'Мы не нашли вашу медкарту', 'Wir konnten Ihre Akte nicht finden'],
    'No single record fits these details. Please check the spelling, the date of birth and the phone number your clinic knows, and try again.',
    'Нет ровно одной карты с такими данными. Проверьте написание, дату рождения и номер, который знает клиника, и повторите попытку.',
    'Zu diesen Angaben passt nicht genau eine Akte. Bitte prüfen Sie Schreibweise, Geburtsdatum und die Telefonnummer, die Ihre Klinik kennt, und versuchen Sie es erneut.',
  ),
  token_already_stored: message(
    ['Please sign in again', 'Войдите снова', 'Bitte melden Sie sich erneut an'],
    'This sign-in was used before and cannot open your record. Log out, then sign in with a new code.',
    'Этот вход уже использован и не откроет карту. Выйдите и войдите с новым кодом.',
    'Diese Anmeldung wurde schon benutzt und kann Ihre Akte nicht öffnen. Melden Sie sich ab und mit einem neuen Code wieder an.',
  ),
  exchange_token_already_stored: message(
    ONCE_MORE,
    'The one-time pass for your details was used before. Please try again.',
    'Разовый пропуск для ваших данных уже использован. Повторите попытку.',
    'Der Einmalpass für Ihre Angaben wurde schon benutzt. Bitte versuchen Sie es erneut.',
  ),
  user_unknown: message(
    ['Your account could not be found', 'Учётная запись не найдена', 'Ihr Konto wurde nicht gefunden'],
    'The sign-in server has no entry that connects you to a record. Please try again, or ask your clinic for help.',
    'На сервере входа нет записи, которая связывает вас с картой. Повторите попытку или обратитесь в клинику.',
    'Der Anmeldeserver hat keinen Eintrag, der Sie mit einer Akte verbindet. Bitte versuchen Sie es erneut, oder bitten Sie Ihre Klinik um Hilfe.',
  ),
  patient_already_linked: message(
    ['This record is already connected', 'Эта карта уже подключена', 'Diese Akte ist bereits verbunden'],
    'This record is connected to another account. If that account is yours, sign in with it; if not, please tell your clinic.',
    'Карта подключена к другой учётной записи. Если она ваша, войдите с ней; если нет, сообщите в клинику.',
    'Diese Akte ist mit einem anderen Konto verbunden. Gehört es Ihnen, melden Sie sich damit an; wenn nicht, sagen Sie es bitte Ihrer Klinik.',
  ),
};
