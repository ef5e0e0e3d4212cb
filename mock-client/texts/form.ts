/** Texts of the identification form, and of what is wrong with what was typed. English, Russian. */
import type { Row } from './language.ts';

export const formTexts = {
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
} as const satisfies Record<string, Row>;
