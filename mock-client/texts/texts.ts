/** Every text of the page in its two languages, and how it is found. English, Russian. */

/** In the order of each row of the table. */
export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

/** One text in every language. */
export type Row = readonly [english: string, russian: string];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', ru: 'Русский' };

/** For `Intl`: how days and numbers are written. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU' };

/** Values for the places in braces of a text. */
export type Values = Readonly<Record<string, string | number>>;

export const table = {
  // Around the steps, and of signing in and ending.
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

  // The identification form, and what is wrong with what was typed.
  findRecord: ['Find your record', 'Найдём вашу медкарту'],
  findRecordLead: [
    'Tell us who you are, just as your clinic has it in your record.',
    'Укажите, кто вы, — так же, как записано в клинике.',
  ],
  yourDetails: ['Your details', 'Ваши данные'],
  findIt: ['Find my record', 'Найти мою медкарту'],
  looking: ['Looking for your record…', 'Ищем вашу медкарту…'],
  secrecy: [
    'These details go to the records server only. The sign-in server never sees them.',
    'Эти данные получит только сервер медкарт. Сервер входа их не увидит.',
  ],
  findBy: ['Find it by', 'Искать по'],
  byDetails: ['Personal details', 'личным данным'],
  byCard: ['Medical card', 'номеру карты'],
  name: ['Given name', 'Имя'],
  surname: ['Family name', 'Фамилия'],
  born: ['Date of birth', 'Дата рождения'],
  genderOptional: ['Gender (optional)', 'Пол (необязательно)'],
  notStated: ['Not stated', 'Не указан'],
  female: ['Female', 'Женский'],
  male: ['Male', 'Мужской'],
  otherGender: ['Other', 'Другой'],
  recordedUnknown: ['Recorded as unknown', 'Записан как неизвестный'],
  cardNumber: ['Card number', 'Номер карты'],
  cardHint: ['You find it on the card from your clinic.', 'Он указан на карте, выданной в клинике.'],
  phone: ['Phone number', 'Номер телефона'],
  phoneClinicHint: ['The one your clinic knows', 'Номер, который знает ваша клиника'],
  phoneSignInHint: [
    'With country code, for example +7\u00a0999\u00a0000\u201100\u201101',
    'С кодом страны, например +7\u00a0999\u00a0000\u201100\u201101',
  ],
  email: ['E-mail address', 'Адрес электронной почты'],

  mistakePhoneMissing: ['Enter your phone number.', 'Введите номер телефона.'],
  mistakePhone: [
    'Enter a phone number with 5 to 15 digits, for example +7 999 000-00-01.',
    'Введите номер из 5–15 цифр, например +7 999 000-00-01.',
  ],
  mistakeEmailMissing: ['Enter your e-mail address.', 'Введите адрес электронной почты.'],
  mistakeEmail: [
    'Enter an e-mail address in the form name@example.org.',
    'Введите адрес вида name@example.org.',
  ],
  mistakeCodeMissing: ['Enter the code from the message.', 'Введите код из сообщения.'],
  mistakeCodeDigits: ['The code has digits only.', 'В коде только цифры.'],
  mistakeCodeLength: ['The code has {n} digits.', 'Количество цифр в коде: {n}.'],
  mistakeCodeLong: ['That is too long for a code.', 'Для кода это слишком длинно.'],
  mistakeNameMissing: ['Enter your given name.', 'Введите имя.'],
  mistakeNameLong: ['A given name can have at most {n} characters.', 'Имя не может быть длиннее {n} знаков.'],
  mistakeNameCharacter: [
    'Your given name has a character that cannot be sent.',
    'В имени есть знак, который нельзя отправить.',
  ],
  mistakeSurnameMissing: ['Enter your family name.', 'Введите фамилию.'],
  mistakeSurnameLong: [
    'A family name can have at most {n} characters.',
    'Фамилия не может быть длиннее {n} знаков.',
  ],
  mistakeSurnameCharacter: [
    'Your family name has a character that cannot be sent.',
    'В фамилии есть знак, который нельзя отправить.',
  ],
  mistakeDateMissing: [
    'Enter your whole date of birth: day, month and year.',
    'Введите дату рождения полностью: день, месяц и год.',
  ],
  mistakeDateNoDay: [
    'That day is not in the calendar. Check day, month and year.',
    'Такого дня нет в календаре. Проверьте день, месяц и год.',
  ],
  mistakeDateFuture: ['A date of birth cannot be in the future.', 'Дата рождения не может быть в будущем.'],
  mistakeDateYear: ['Check the year of birth.', 'Проверьте год рождения.'],
  mistakeClinicPhoneMissing: [
    'Enter the phone number your clinic knows.',
    'Введите номер телефона, который знает клиника.',
  ],
  mistakeCardMissing: ['Enter the number of your medical card.', 'Введите номер медицинской карты.'],
  mistakeCardLong: [
    'A card number can have at most {n} characters.',
    'Номер карты не может быть длиннее {n} знаков.',
  ],
  mistakeCardCharacter: [
    'The card number has a character that cannot be sent.',
    'В номере карты есть знак, который нельзя отправить.',
  ],

  // The record.
  yourRecord: ['Your health record', 'Ваша медицинская карта'],
  genderAndBirth: ['{gender}, born {day}', 'Пол: {gender}, дата рождения: {day}'],
  gender0: ['Male', 'мужской'],
  gender1: ['Female', 'женский'],
  gender2: ['Other', 'другой'],
  gender3: ['Not known', 'неизвестен'],
  stepLeftTitle: ['Your record is open, but one step is left', 'Медкарта открыта, но остался один шаг'],
  stepLeftText: [
    'The sign-in server has not noted the connection yet, so next time you may have to enter your details again.',
    'Сервер входа ещё не записал подключение, поэтому в следующий раз, возможно, придётся снова ввести данные.',
  ],
  finishingConnection: ['Finishing the connection…', 'Завершаем подключение…'],
  deceased: ['This record is marked as deceased.', 'В карте отмечена смерть пациента.'],
  inactive: ['This record is no longer active.', 'Эта карта больше не действует.'],
  contact: ['Contact', 'Контакты'],
  onePhone: ['Phone', 'Телефон'],
  phones: ['Phones', 'Телефоны'],
  mail: ['E-mail', 'Почта'],
  address: ['Address', 'Адрес'],
  atClinic: ['At the clinic', 'В клинике'],
  medicalCard: ['Medical card', 'Номер карты'],
  maritalStatus: ['Marital status', 'Семейное положение'],
  marital0: ['Divorced', 'В разводе'],
  marital1: ['Married', 'В браке'],
  marital2: ['Never married', 'В браке не состоял(а)'],
  marital3: ['Unmarried', 'Не в браке'],
  marital4: ['Widowed', 'Вдовец или вдова'],
  insurance: ['Insurance', 'Страховка'],
  noInsurance: ['No insurance is noted.', 'Страховка не указана.'],
  policy: ['No. {number}', '№ {number}'],
  validUntil: ['Valid until {day}', 'Действует до {day}'],
  family: ['Family', 'Семья'],
  noFamily: ['No family members are noted.', 'Родственники не указаны.'],
  familyMember: ['Family member', 'Родственник'],
  notNoted: ['Not noted', 'Не указано'],
  yourConnection: ['Your connection', 'Ваше подключение'],
  connectionText: [
    'You signed in with {attribute}. This session lasts {time}.',
    'Вы вошли как {attribute}. Срок сеанса: {time}.',
  ],
  deleteData: ['Delete my data', 'Удалить мои данные'],
  disconnectTitle: ['Disconnect your records?', 'Отключить медкарту?'],
  disconnectConfirm: ['Yes, disconnect', 'Да, отключить'],
  disconnectText: [
    'Your record stays at your clinic. This app can no longer show it, here or on your other devices, until you enter your details again.',
    'Карта останется в клинике. Приложение не сможет показать её ни здесь, ни на других ваших устройствах, пока вы снова не введёте свои данные.',
  ],
  deleteTitle: ['Delete your data?', 'Удалить ваши данные?'],
  deleteConfirm: ['Yes, delete', 'Да, удалить'],
  deleteText: [
    'First your records are disconnected, then your account at the sign-in server is deleted. Your record stays at your clinic.',
    'Сначала медкарта отключается, затем сервер входа удаляет вашу учётную запись. Сама карта остаётся в клинике.',
  ],
  cannotUndo: ['This cannot be undone.', 'Это нельзя отменить.'],

  // The panel that shows the calls.
  wireTitle: ['What happens on the wire', 'Что происходит на линии'],
  calls: ['Calls: {n}', 'Вызовов: {n}'],
  wireEmpty: [
    'Each call this page makes appears here: to whom, what for, and how it ended. Secrets and patient data are masked.',
    'Здесь появится каждый вызов этой страницы: к кому, зачем и чем он закончился. Секреты и данные пациента скрыты.',
  ],
  partyAuth: ['Authorization server', 'Сервер авторизации'],
  partyEhr: ['EHR server', 'Сервер ЭМК'],
  routeClient: ['client', 'клиент'],
  routeTo: ['to', 'к'],
  routeAuth: ['authorization server', 'сервер авторизации'],
  routeEhr: ['EHR server', 'сервер ЭМК'],
  patientDataSent: ['Patient data sent: {fields}', 'Отправлено данных пациента: {fields}'],
  none: ['none', 'нет'],
  carriesPatientData: ['carries patient data: {fields}', 'несёт данные пациента: {fields}'],
  verdictPending: ['waiting…', 'ждём…'],
  verdictOk: ['ok', 'ок'],
  verdictRefused: ['refused', 'отказ'],
  verdictUnreachable: ['not reached', 'недоступен'],
  verdictTimeout: ['no answer in time', 'нет ответа вовремя'],
  verdictNonsense: ['not a valid reply', 'неверный ответ'],
  request: ['Request', 'Запрос'],
  reply: ['Reply', 'Ответ'],
  requestOf: ['Request of {method}', 'Запрос {method}'],
  replyTo: ['Reply to {method}', 'Ответ на {method}'],
  nothingReadable: ['Nothing that could be read.', 'Прочитать нечего.'],

  // News for the user, by the notice of the flow.
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

  // By the ending: while it is in progress, where one server has not done its part, and the button onward.
  logoutBusy: ['Logging you out…', 'Выходим…'],
  logoutEhrFailed: ['You are still signed in', 'Вы ещё не вышли'],
  logoutEhrFailedText: [
    'Logging out did not work, and nothing has changed.',
    'Выйти не удалось, ничего не изменилось.',
  ],
  logoutAuthFailed: ['Almost logged out', 'Почти вышли'],
  logoutAuthFailedText: [
    'The records server has ended your session. The sign-in server has not yet.',
    'Сервер медкарт завершил ваш сеанс, сервер входа — ещё нет.',
  ],
  logoutFinish: ['Finish logging out', 'Завершить выход'],
  disconnectBusy: ['Disconnecting your records…', 'Отключаем медкарту…'],
  disconnectEhrFailed: ['Your records are still connected', 'Медкарта ещё подключена'],
  disconnectEhrFailedText: [
    'Disconnecting did not work. You can try again.',
    'Отключить не удалось. Можно повторить.',
  ],
  disconnectAuthFailed: ['Almost done', 'Почти готово'],
  disconnectAuthFailedText: ['One step is left.', 'Остался один шаг.'],
  disconnectFinish: ['Finish', 'Завершить'],
  deleteBusy: ['Deleting your data…', 'Удаляем ваши данные…'],
  deleteEhrFailed: ['Your data was not deleted', 'Ваши данные не удалены'],
  deleteEhrFailedText: [
    'Disconnecting your records comes first, and it did not work. Nothing was deleted.',
    'Сначала нужно отключить медкарту, а это не удалось. Ничего не удалено.',
  ],
  deleteAuthFailed: ['Almost deleted', 'Почти удалено'],
  deleteAuthFailedText: [
    'Your records are disconnected. The sign-in server has not deleted your data yet.',
    'Медкарта отключена. Сервер входа ещё не удалил ваши данные.',
  ],
  deleteFinish: ['Finish deleting', 'Завершить удаление'],
} as const satisfies Record<string, Row>;

export type TextKey = keyof typeof table;
export type Say = (key: TextKey, values?: Values) => string;

/** @example sayIn('ru')('sendCode') // 'Отправить код' */
export function sayIn(language: Language): Say {
  return (key, values) => textIn(language, table[key], values);
}

/** @example textIn('ru', ['{n} digits', '{n} цифр'], { n: 6 }) // '6 цифр' */
export function textIn(language: Language, row: Row, values: Values = {}): string {
  return (
    row[languages.indexOf(language)]?.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place)) ??
    ''
  );
}

/** Returns the language that the reader chose, else the first of the browser that is here, else English. */
export function languageFor(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = [chosen ?? '', ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0] ?? 'en';
}
