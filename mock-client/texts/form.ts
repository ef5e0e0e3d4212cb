/** Texts of the identification form, and of what is wrong with what was typed. English, Russian, German. */
import type { Row } from './language.ts';

export const formTexts = {
  findRecord: ['Find your record', 'Найдём вашу медкарту', 'Ihre Akte finden'],
  findRecordLead: [
    'Tell us who you are, just as your clinic has it in your record.',
    'Укажите, кто вы, — так же, как записано в клинике.',
    'Sagen Sie uns, wer Sie sind, genau so, wie es in Ihrer Akte steht.',
  ],
  yourDetails: ['Your details', 'Ваши данные', 'Ihre Angaben'],
  findIt: ['Find my record', 'Найти мою медкарту', 'Meine Akte finden'],
  looking: ['Looking for your record…', 'Ищем вашу медкарту…', 'Ihre Akte wird gesucht …'],
  secrecy: [
    'These details go to the records server only. The sign-in server never sees them.',
    'Эти данные получит только сервер медкарт. Сервер входа их не увидит.',
    'Diese Angaben gehen allein an den Aktenserver. Der Anmeldeserver sieht sie nie.',
  ],
  findBy: ['Find it by', 'Искать по', 'Suchen über'],
  byDetails: ['Personal details', 'личным данным', 'Persönliche Angaben'],
  byCard: ['Medical card', 'номеру карты', 'Patientenkarte'],
  name: ['Given name', 'Имя', 'Vorname'],
  surname: ['Family name', 'Фамилия', 'Nachname'],
  born: ['Date of birth', 'Дата рождения', 'Geburtsdatum'],
  genderOptional: ['Gender (optional)', 'Пол (необязательно)', 'Geschlecht (freiwillig)'],
  notStated: ['Not stated', 'Не указан', 'Keine Angabe'],
  female: ['Female', 'Женский', 'Weiblich'],
  male: ['Male', 'Мужской', 'Männlich'],
  otherGender: ['Other', 'Другой', 'Divers'],
  recordedUnknown: ['Recorded as unknown', 'Записан как неизвестный', 'Als unbekannt vermerkt'],
  cardNumber: ['Card number', 'Номер карты', 'Kartennummer'],
  cardHint: [
    'You find it on the card from your clinic.',
    'Он указан на карте, выданной в клинике.',
    'Sie steht auf der Karte Ihrer Klinik.',
  ],
  phone: ['Phone number', 'Номер телефона', 'Telefonnummer'],
  phoneClinicHint: [
    'The one your clinic knows',
    'Номер, который знает ваша клиника',
    'Die Nummer, die Ihre Klinik kennt',
  ],
  phoneSignInHint: [
    'With country code, for example +7\u00a0999\u00a0000\u201100\u201101',
    'С кодом страны, например +7\u00a0999\u00a0000\u201100\u201101',
    'Mit Ländervorwahl, zum Beispiel +7\u00a0999\u00a0000\u201100\u201101',
  ],
  email: ['E-mail address', 'Адрес электронной почты', 'E-Mail-Adresse'],

  mistakePhoneMissing: [
    'Enter your phone number.',
    'Введите номер телефона.',
    'Geben Sie Ihre Telefonnummer ein.',
  ],
  mistakePhone: [
    'Enter a phone number with 5 to 15 digits, for example +7 999 000-00-01.',
    'Введите номер из 5–15 цифр, например +7 999 000-00-01.',
    'Geben Sie eine Telefonnummer mit 5 bis 15 Ziffern ein, zum Beispiel +7 999 000-00-01.',
  ],
  mistakeEmailMissing: [
    'Enter your e-mail address.',
    'Введите адрес электронной почты.',
    'Geben Sie Ihre E-Mail-Adresse ein.',
  ],
  mistakeEmail: [
    'Enter an e-mail address in the form name@example.org.',
    'Введите адрес вида name@example.org.',
    'Geben Sie eine E-Mail-Adresse der Form name@example.org ein.',
  ],
  mistakeCodeMissing: [
    'Enter the code from the message.',
    'Введите код из сообщения.',
    'Geben Sie den Code aus der Nachricht ein.',
  ],
  mistakeCodeDigits: [
    'The code has digits only.',
    'В коде только цифры.',
    'Der Code besteht nur aus Ziffern.',
  ],
  mistakeCodeLength: [
    'The code has {n} digits.',
    'Количество цифр в коде: {n}.',
    'Der Code hat {n} Ziffern.',
  ],
  mistakeCodeLong: [
    'That is too long for a code.',
    'Для кода это слишком длинно.',
    'Das ist zu lang für einen Code.',
  ],
  mistakeNameMissing: ['Enter your given name.', 'Введите имя.', 'Geben Sie Ihren Vornamen ein.'],
  mistakeNameLong: [
    'A given name can have at most {n} characters.',
    'Имя не может быть длиннее {n} знаков.',
    'Ein Vorname hat höchstens {n} Zeichen.',
  ],
  mistakeNameCharacter: [
    'Your given name has a character that cannot be sent.',
    'В имени есть знак, который нельзя отправить.',
    'Ihr Vorname enthält ein Zeichen, das sich nicht senden lässt.',
  ],
  mistakeSurnameMissing: ['Enter your family name.', 'Введите фамилию.', 'Geben Sie Ihren Nachnamen ein.'],
  mistakeSurnameLong: [
    'A family name can have at most {n} characters.',
    'Фамилия не может быть длиннее {n} знаков.',
    'Ein Nachname hat höchstens {n} Zeichen.',
  ],
  mistakeSurnameCharacter: [
    'Your family name has a character that cannot be sent.',
    'В фамилии есть знак, который нельзя отправить.',
    'Ihr Nachname enthält ein Zeichen, das sich nicht senden lässt.',
  ],
  mistakeDateMissing: [
    'Enter your whole date of birth: day, month and year.',
    'Введите дату рождения полностью: день, месяц и год.',
    'Geben Sie Ihr ganzes Geburtsdatum ein: Tag, Monat und Jahr.',
  ],
  mistakeDateNoDay: [
    'That day is not in the calendar. Check day, month and year.',
    'Такого дня нет в календаре. Проверьте день, месяц и год.',
    'Diesen Tag gibt es im Kalender nicht. Prüfen Sie Tag, Monat und Jahr.',
  ],
  mistakeDateFuture: [
    'A date of birth cannot be in the future.',
    'Дата рождения не может быть в будущем.',
    'Ein Geburtsdatum kann nicht in der Zukunft liegen.',
  ],
  mistakeDateYear: ['Check the year of birth.', 'Проверьте год рождения.', 'Prüfen Sie das Geburtsjahr.'],
  mistakeClinicPhoneMissing: [
    'Enter the phone number your clinic knows.',
    'Введите номер телефона, который знает клиника.',
    'Geben Sie die Telefonnummer ein, die Ihre Klinik kennt.',
  ],
  mistakeCardMissing: [
    'Enter the number of your medical card.',
    'Введите номер медицинской карты.',
    'Geben Sie die Nummer Ihrer Patientenkarte ein.',
  ],
  mistakeCardLong: [
    'A card number can have at most {n} characters.',
    'Номер карты не может быть длиннее {n} знаков.',
    'Eine Kartennummer hat höchstens {n} Zeichen.',
  ],
  mistakeCardCharacter: [
    'The card number has a character that cannot be sent.',
    'В номере карты есть знак, который нельзя отправить.',
    'Die Kartennummer enthält ein Zeichen, das sich nicht senden lässt.',
  ],
} as const satisfies Record<string, Row>;
