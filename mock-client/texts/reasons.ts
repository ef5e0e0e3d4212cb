/**
 * What the page says for each reason of an error: a sentence that a patient understands. English,
 * Russian. `{server}`, `{toServer}` and `{atServer}` stand for the server that refused.
 */
import type { Reason } from '#protocol/wire/errors.ts';
import { type MessageText, message, type Row } from './language.ts';
import { signInReasonTexts } from './reasons-sign-in.ts';

const NOT_THROUGH: Row = ['That did not get through', 'Запрос не дошёл'];
const NOT_AVAILABLE: Row = ['Not available here', 'Здесь недоступно'];
const TOO_MANY: Row = ['Too many attempts', 'Слишком много попыток'];
const ONCE_MORE: Row = ['Please send your details once more', 'Отправьте данные ещё раз'];

export const reasonTexts: Readonly<Record<Reason, MessageText>> = {
  ...signInReasonTexts,
  parse_error: message(
    NOT_THROUGH,
    'The message to {server} was damaged on its way. Please try again.',
    'Запрос {toServer} повредился в пути. Повторите попытку.',
  ),
  invalid_request: message(
    NOT_THROUGH,
    'The message to {server} was not in the form it expects. Please try again; if it happens again, reload this page.',
    'Запрос {toServer} пришёл не в той форме. Повторите попытку; если не поможет, обновите страницу.',
  ),
  method_not_found: message(
    NOT_AVAILABLE,
    'This app and {server} do not fit together: it does not offer what you asked for. Please tell your clinic.',
    'Приложение и {server} не подходят друг другу: запрошенного там нет. Сообщите об этом в клинику.',
  ),
  invalid_params: message(
    ['Please check what you entered', 'Проверьте введённое'],
    'Something you entered is not in the form {server} accepts. Please check it and try again.',
    'Что-то введено в форме, которую {server} не принимает. Проверьте и повторите попытку.',
  ),
  internal_error: message(
    ['Something went wrong', 'Что-то пошло не так'],
    'Something went wrong at {server}. It is not your fault. Please try again in a moment.',
    'Произошёл сбой {atServer}. Вы ни при чём. Повторите попытку чуть позже.',
  ),
  not_authorized: message(
    ['You are not signed in there', 'Вы там не вошли'],
    'Nobody is signed in at {server} with this session. Try again, or log out and sign in again.',
    'В этом сеансе {atServer} никто не вошёл. Повторите попытку или выйдите и войдите снова.',
  ),
  session_expired: message(
    ['Your session has ended', 'Сеанс закончился'],
    'For your safety a session lasts only so long. Please sign in again.',
    'Для вашей безопасности сеанс ограничен по времени. Войдите снова.',
  ),
  exchange_token_unknown: message(
    ONCE_MORE,
    'The one-time pass for your details was no longer accepted. A new one will be used when you send them again.',
    'Разовый пропуск для ваших данных больше не принят. При новой отправке будет другой.',
  ),
  exchange_token_expired: message(
    ONCE_MORE,
    'More than ten minutes have passed, so the one-time pass for your details has run out. A new one will be used when you send them again.',
    'Прошло больше десяти минут, и разовый пропуск для ваших данных истёк. При новой отправке будет другой.',
  ),
  exchange_token_exhausted: message(
    TOO_MANY,
    'Your details did not fit several times. Please check each of them, or ask your clinic what is written in your record. A new one-time pass will be used when you send them again.',
    'Данные несколько раз не подошли. Проверьте каждое поле или узнайте в клинике, что записано в карте. При новой отправке будет другой разовый пропуск.',
  ),
  too_many_failed_matches: message(
    TOO_MANY,
    'Details like these did not fit many times. For safety no more are tried for now. Please wait an hour, or ask your clinic what is written in your record.',
    'Такие данные не подошли много раз. Ради безопасности проверка приостановлена. Подождите час или узнайте в клинике, что записано в карте.',
  ),
  access_forbidden: message(
    NOT_AVAILABLE,
    'At this address {server} does not serve this app. Please tell your clinic.',
    'По этому адресу {server} приложение не обслуживает. Сообщите об этом в клинику.',
  ),
  patient_already_matched: message(
    ['Your account belongs to another record', 'С вашей учётной записью связана другая карта'],
    'You have already connected a different record. Enter the details of that record, or ask your clinic for help.',
    'Вы уже подключили другую карту. Введите данные той карты или обратитесь в клинику.',
  ),
  patient_not_matched: message(
    ['We could not find your record', 'Мы не нашли вашу медкарту'],
    'No single record fits these details. Please check the spelling, the date of birth and the phone number your clinic knows, and try again.',
    'Нет ровно одной карты с такими данными. Проверьте написание, дату рождения и номер, который знает клиника, и повторите попытку.',
  ),
  token_already_stored: message(
    ['Please sign in again', 'Войдите снова'],
    'This sign-in was used before and cannot open your record. Log out, then sign in with a new code.',
    'Этот вход уже использован и не откроет карту. Выйдите и войдите с новым кодом.',
  ),
  exchange_token_already_stored: message(
    ONCE_MORE,
    'The one-time pass for your details was used before. Please try again.',
    'Разовый пропуск для ваших данных уже использован. Повторите попытку.',
  ),
  user_unknown: message(
    ['Your account could not be found', 'Учётная запись не найдена'],
    'The sign-in server has no entry that connects you to a record. Please try again, or ask your clinic for help.',
    'На сервере входа нет записи, которая связывает вас с картой. Повторите попытку или обратитесь в клинику.',
  ),
  patient_already_linked: message(
    ['This record is already connected', 'Эта карта уже подключена'],
    'This record is connected to another account. If that account is yours, sign in with it; if not, please tell your clinic.',
    'Карта подключена к другой учётной записи. Если она ваша, войдите с ней; если нет, сообщите в клинику.',
  ),
};
