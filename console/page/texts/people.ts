/**
 * The personas of the fixtures in Russian and German; English comes from the fixtures. A persona that is not
 * here is shown in English.
 */
type Translated = { readonly title: readonly [string, string]; readonly outcome: readonly [string, string] };

export const peopleTexts: Readonly<Record<string, Translated>> = {
  anna: {
    title: ['Обычный пациент с полной картой', 'Eine gewöhnliche Patientin mit vollständiger Akte'],
    outcome: ['Находится, карта показана.', 'Wird gefunden, die Akte wird gezeigt.'],
  },
  twins: {
    title: [
      'Иван и Олег: один день рождения и один телефон на двоих',
      'Iwan und Oleg: ein Geburtstag und ein Telefon',
    ],
    outcome: [
      'Имя решает, кто из двух найден; потом этот телефон не связать с другим.',
      'Der Vorname entscheidet, wer gefunden wird; danach lässt sich mit diesem Telefon kein anderer verknüpfen.',
    ],
  },
  namesakes: {
    title: ['Два пациента, одинаковые во всём', 'Zwei Patientinnen, die in allem gleich sind'],
    outcome: [
      'Никогда не находится: patient_not_matched, и ответ не говорит, что их двое.',
      'Wird nie gefunden: patient_not_matched, und die Antwort verrät nicht, dass es zwei sind.',
    ],
  },
  alyoshin: {
    title: ['Записан через ё, вводит е', 'Mit ё gespeichert, tippt е'],
    outcome: ['Находится с любой из букв.', 'Wird mit beiden Buchstaben gefunden.'],
  },
  nunez: {
    title: [
      'Записан составными буквами (NFC), клавиатура шлёт разложенные (NFD)',
      'Mit zusammengesetzten Buchstaben (NFC) gespeichert, die Tastatur sendet zerlegte (NFD)',
    ],
    outcome: [
      'Находится, хотя байты букв с акцентом разные.',
      'Wird gefunden, obwohl kein Buchstabe mit Akzent dieselben Bytes hat.',
    ],
  },
  rufus: {
    title: ['Пациент с медкартой для поиска MEDCARD', 'Ein Patient mit Karte, für die Suche MEDCARD'],
    outcome: [
      'Находится по данным и по карте 123456 с телефоном.',
      'Wird an seinen Angaben gefunden, und an Karte 123456 mit dem Telefon.',
    ],
  },
  orphan: {
    title: [
      'Пациент, для которого у сервера авторизации нет соответствия',
      'Eine Patientin ohne Zuordnung beim Autorisierungsserver',
    ],
    outcome: [
      'Сервер ЭМК находит, сервер авторизации отказывает: user_unknown.',
      'Der EHR-Server findet sie, der Autorisierungsserver lehnt dann ab: user_unknown.',
    ],
  },
  boris: {
    title: [
      'Ещё один обычный пациент, с двумя телефонами',
      'Ein zweiter gewöhnlicher Patient, mit zwei Telefonen',
    ],
    outcome: [
      'Находится, если ни он, ни его пользователь не связаны с другими.',
      'Wird gefunden, sofern weder er noch sein Nutzer anders verknüpft ist.',
    ],
  },
};
