/** Texts around the steps, and of signing in and ending. English, Russian, German. */
import type { Row } from './language.ts';

export const pageTexts = {
  title: ['My Records', 'Моя медкарта', 'Meine Akte'],
  skip: ['Skip to the content', 'К содержанию', 'Zum Inhalt'],
  signedInWith: ['Signed in with {attribute}', 'Вы вошли как {attribute}', 'Angemeldet mit {attribute}'],
  simulatedMessages: ['Simulated messages', 'Учебные сообщения', 'Simulierte Nachrichten'],
  language: ['Language', 'Язык', 'Sprache'],
  footer: [
    'A demonstration with invented people. Nothing here is a real health record.',
    'Это демонстрация с вымышленными людьми. Настоящих медкарт здесь нет.',
    'Eine Vorführung mit erfundenen Personen. Nichts hier ist eine echte Patientenakte.',
  ],
  noSettingsTitle: ['My Records cannot start', 'Медкарта не открывается', 'Meine Akte startet nicht'],
  noSettingsText: [
    'The app could not load its settings. Please check your connection and try again.',
    'Не удалось загрузить настройки. Проверьте соединение и попробуйте ещё раз.',
    'Die Einstellungen ließen sich nicht laden. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  ],
  brokenTitle: [
    'This page cannot be shown',
    'Страница не отображается',
    'Diese Seite lässt sich nicht anzeigen',
  ],
  brokenText: [
    'Another program may have changed it, such as a translator. Please switch that off and reload the page.',
    'Возможно, её изменила другая программа, например переводчик. Отключите её и обновите страницу.',
    'Ein anderes Programm hat sie wohl verändert, etwa ein Übersetzer. Bitte schalten Sie es aus, und laden Sie neu.',
  ],
  reload: ['Reload the page', 'Обновить страницу', 'Seite neu laden'],
  progress: ['Progress', 'Ход входа', 'Fortschritt'],
  atSignIn: ['Sign in', 'Вход', 'Anmelden'],
  atConfirm: ['Confirm', 'Код', 'Bestätigen'],
  atConnect: ['Connect', 'Связь', 'Verbinden'],
  atRecord: ['Your record', 'Медкарта', 'Ihre Akte'],
  tryAgain: ['Try again', 'Повторить', 'Erneut versuchen'],
  goBack: ['Go back', 'Назад', 'Zurück'],
  cancel: ['Cancel', 'Отмена', 'Abbrechen'],
  logOut: ['Log out', 'Выйти', 'Abmelden'],
  disconnect: ['Disconnect records', 'Отключить медкарту', 'Akte trennen'],
  oneMoment: ['One moment…', 'Минутку…', 'Einen Moment …'],

  signIn: ['Sign in', 'Вход', 'Anmelden'],
  signInLead: [
    'We will send you a code to make sure it is you. No password is needed.',
    'Мы пришлём код, чтобы убедиться, что это вы. Пароль не нужен.',
    'Wir senden Ihnen einen Code, um sicherzugehen, dass Sie es sind. Ein Passwort brauchen Sie nicht.',
  ],
  sendCode: ['Send code', 'Получить код', 'Code senden'],
  sendingCode: ['Sending the code…', 'Отправляем код…', 'Der Code wird gesendet …'],
  useEmail: ['Use an e-mail address instead', 'Войти по электронной почте', 'Stattdessen mit E-Mail-Adresse'],
  usePhone: ['Use a phone number instead', 'Войти по номеру телефона', 'Stattdessen mit Telefonnummer'],

  enterCode: ['Enter the code', 'Введите код', 'Code eingeben'],
  codeSent: [
    'We sent {digits} digits to {to}.',
    'Мы отправили код из {digits} цифр на {to}.',
    'Wir haben {digits} Ziffern an {to} gesendet.',
  ],
  codeSentShort: [
    'We sent a code to {to}.',
    'Мы отправили код на {to}.',
    'Wir haben einen Code an {to} gesendet.',
  ],
  code: ['Code', 'Код', 'Code'],
  confirm: ['Confirm', 'Подтвердить', 'Bestätigen'],
  nothingArrived: ['Nothing arrived?', 'Ничего не пришло?', 'Nichts angekommen?'],
  nothingArrivedYet: [
    'Nothing arrived? You can ask for another code in {n} s.',
    'Ничего не пришло? Новый код можно запросить через {n} с.',
    'Nichts angekommen? In {n} s können Sie einen neuen Code anfordern.',
  ],
  sendNewCode: ['Send a new code', 'Отправить новый код', 'Neuen Code senden'],
  anotherPhone: ['Use another phone number', 'Указать другой номер', 'Andere Telefonnummer verwenden'],
  anotherEmail: ['Use another e-mail address', 'Указать другой адрес', 'Andere E-Mail-Adresse verwenden'],
  noRealMessage: [
    'In this demonstration no message leaves the machine: {link}',
    'В этой демонстрации сообщения не покидают компьютер: {link}',
    'In dieser Vorführung verlässt keine Nachricht den Rechner: {link}',
  ],
  seeMessages: [
    'see the simulated messages',
    'открыть учебные сообщения',
    'die simulierten Nachrichten ansehen',
  ],

  opening: ['Opening your record', 'Открываем медкарту', 'Ihre Akte wird geöffnet'],
  openingLead: [
    'We are asking the records server for it.',
    'Запрашиваем её у сервера медкарт.',
    'Wir fragen den Aktenserver danach.',
  ],
  loggedOut: ['You are logged out', 'Вы вышли', 'Sie sind abgemeldet'],
  loggedOutText: [
    'Your records stay connected to your account: next time, a code is all you need.',
    'Медкарта остаётся подключённой: в следующий раз достаточно кода.',
    'Ihre Akte bleibt mit Ihrem Konto verbunden: Beim nächsten Mal genügt ein Code.',
  ],
  deleted: ['Your data is deleted', 'Ваши данные удалены', 'Ihre Daten sind gelöscht'],
  deletedText: [
    'Your records are disconnected, and the sign-in server has deleted your account. Your record is still at your clinic.',
    'Медкарта отключена, сервер входа удалил вашу учётную запись. Сама карта осталась в клинике.',
    'Ihre Akte ist getrennt, und der Anmeldeserver hat Ihr Konto gelöscht. Die Akte selbst bleibt in Ihrer Klinik.',
  ],
  signInAgain: ['Sign in again', 'Войти снова', 'Erneut anmelden'],
} as const satisfies Record<string, Row>;
