/** Texts around the steps, and of signing in and ending. English, Russian. */
import type { Row } from './language.ts';

export const pageTexts = {
  title: ['My Records', 'Моя медкарта'],
  skip: ['Skip to the content', 'К содержанию'],
  signedInWith: ['Signed in with {attribute}', 'Вы вошли как {attribute}'],
  simulatedMessages: ['Simulated messages', 'Учебные сообщения'],
  language: ['Language', 'Язык'],
  footer: [
    'A demonstration with invented people. Nothing here is a real health record.',
    'Это демонстрация с вымышленными людьми. Настоящих медкарт здесь нет.',
  ],
  noSettingsTitle: ['My Records cannot start', 'Медкарта не открывается'],
  noSettingsText: [
    'The server of this app did not send its settings. You did nothing wrong. Please try again in a moment.',
    'Сервер приложения не прислал настройки. Вы ни при чём. Повторите попытку чуть позже.',
  ],
  brokenTitle: ['This page cannot be shown', 'Страница не отображается'],
  brokenText: [
    'Another program may have changed it, such as a translator. Please switch that off and reload the page.',
    'Возможно, её изменила другая программа, например переводчик. Отключите её и обновите страницу.',
  ],
  reload: ['Reload the page', 'Обновить страницу'],
  progress: ['Progress', 'Ход входа'],
  atSignIn: ['Sign in', 'Вход'],
  atConfirm: ['Confirm', 'Код'],
  atConnect: ['Connect', 'Связь'],
  atRecord: ['Your record', 'Медкарта'],
  tryAgain: ['Try again', 'Повторить'],
  goBack: ['Go back', 'Назад'],
  cancel: ['Cancel', 'Отмена'],
  logOut: ['Log out', 'Выйти'],
  disconnect: ['Disconnect records', 'Отключить медкарту'],
  oneMoment: ['One moment…', 'Минутку…'],

  signIn: ['Sign in', 'Вход'],
  signInLead: [
    'We will send you a code to make sure it is you. No password is needed.',
    'Мы пришлём код, чтобы убедиться, что это вы. Пароль не нужен.',
  ],
  sendCode: ['Send code', 'Получить код'],
  sendingCode: ['Sending the code…', 'Отправляем код…'],
  useEmail: ['Use an e-mail address instead', 'Войти по электронной почте'],
  usePhone: ['Use a phone number instead', 'Войти по номеру телефона'],

  enterCode: ['Enter the code', 'Введите код'],
  codeSent: ['We sent {digits} digits to {to}.', 'Мы отправили код из {digits} цифр на {to}.'],
  codeSentShort: ['We sent a code to {to}.', 'Мы отправили код на {to}.'],
  code: ['Code', 'Код'],
  confirm: ['Confirm', 'Подтвердить'],
  nothingArrived: ['Nothing arrived?', 'Ничего не пришло?'],
  nothingArrivedYet: [
    'Nothing arrived? You can ask for another code in {n} s.',
    'Ничего не пришло? Новый код можно запросить через {n} с.',
  ],
  sendNewCode: ['Send a new code', 'Отправить новый код'],
  anotherPhone: ['Use another phone number', 'Указать другой номер'],
  anotherEmail: ['Use another e-mail address', 'Указать другой адрес'],
  noRealMessage: [
    'In this demonstration no message leaves the machine: {link}',
    'В этой демонстрации сообщения не покидают компьютер: {link}',
  ],
  seeMessages: ['see the simulated messages', 'открыть учебные сообщения'],

  opening: ['Opening your record', 'Открываем медкарту'],
  openingLead: ['We are asking the records server for it.', 'Запрашиваем её у сервера медкарт.'],
  recordGone: ['Your record is no longer there', 'Вашей медкарты там больше нет'],
  recordGoneText: [
    'The records server has no record any more that is connected to you. You did nothing wrong. Please ask your clinic, or disconnect and connect again.',
    'На сервере медкарт больше нет карты, связанной с вами. Вы ни при чём. Обратитесь в клинику или отключите медкарту и подключите снова.',
  ],
  finishLogout: ['Finish logging out', 'Завершить выход'],
  finishDisconnect: ['Finish', 'Завершить'],
  finishDelete: ['Finish deleting', 'Завершить удаление'],
  loggedOut: ['You are logged out', 'Вы вышли'],
  loggedOutText: [
    'Your records stay connected to your account: next time, a code is all you need.',
    'Медкарта остаётся подключённой: в следующий раз достаточно кода.',
  ],
  loggedOutAlone: [
    'You can close this page, or sign in again with a new code.',
    'Можно закрыть страницу или войти снова с новым кодом.',
  ],
  deleted: ['Your data is deleted', 'Ваши данные удалены'],
  deletedText: [
    'Your records are disconnected, and the sign-in server has deleted your account. Your record is still at your clinic.',
    'Медкарта отключена, сервер входа удалил вашу учётную запись. Сама карта осталась в клинике.',
  ],
  signInAgain: ['Sign in again', 'Войти снова'],
} as const satisfies Record<string, Row>;
