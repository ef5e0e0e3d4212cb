/** Every text of the page "Messages" in its three languages: English, Russian, German. */

export const languages = ['en', 'ru', 'de'];

export const table = {
  title: ['Messages', 'Сообщения', 'Nachrichten'],
  language: ['Language', 'Язык', 'Sprache'],
  note: [
    'Nothing is sent for real: the codes of this authorization server arrive here.',
    'На самом деле ничего не отправляется: коды этого сервера авторизации приходят сюда.',
    'Nichts wird wirklich versandt: Die Codes dieses Autorisierungsservers kommen hier an.',
  ],
  byKey: [
    '{copyKey} copies the newest code.',
    '{copyKey} копирует самый новый код.',
    '{copyKey} kopiert den neuesten Code.',
  ],
  filter: ['Only messages to', 'Только сообщения для', 'Nur Nachrichten an'],
  anybody: ['any phone or e-mail address', 'любой номер или адрес почты', 'jede Nummer oder E-Mail-Adresse'],
  list: ['Messages, newest first', 'Сообщения, сначала новые', 'Nachrichten, neueste zuerst'],
  connecting: ['Connecting…', 'Соединение…', 'Verbindet …'],
  live: ['Connected', 'На связи', 'Verbunden'],
  lost: ['Not connected, trying again', 'Нет связи, пробуем снова', 'Nicht verbunden, neuer Versuch läuft'],
  wasLost: ['The connection was lost.', 'Связь прервалась.', 'Die Verbindung ist abgerissen.'],
  emptyTitle: ['No messages yet', 'Сообщений пока нет', 'Noch keine Nachrichten'],
  emptyText: [
    'Enter a phone number or an e\u2011mail address in the client and ask for a code. It arrives here at once.',
    'Введите в клиенте номер телефона или адрес почты и запросите код. Он сразу придёт сюда.',
    'Geben Sie im Client eine Telefonnummer oder E\u2011Mail-Adresse ein und fordern Sie einen Code an. Er kommt sofort hier an.',
  ],
  noneTitle: [
    'No message to this recipient',
    'Этому получателю ничего нет',
    'Keine Nachricht an diesen Empfänger',
  ],
  noneText: [
    'Request a code for it in the client, or clear the filter above to see all messages.',
    'Запросите для него код в клиенте или очистите фильтр, чтобы увидеть все сообщения.',
    'Fordern Sie im Client einen Code dafür an, oder leeren Sie den Filter, um alle Nachrichten zu sehen.',
  ],
  arrived: [
    'New message to {to}: the code is {code}.',
    'Новое сообщение для {to}: код {code}.',
    'Neue Nachricht an {to}: Der Code ist {code}.',
  ],
  copy: ['Copy', 'Копировать', 'Kopieren'],
  copied: ['Copied', 'Скопировано', 'Kopiert'],
  marked: ['Marked', 'Выделено', 'Markiert'],
  copyCode: ['Copy code {code}', 'Копировать код {code}', 'Code {code} kopieren'],
  copiedCode: ['Copied code {code}', 'Скопирован код {code}', 'Code {code} kopiert'],
  markedCode: ['Marked code {code}', 'Выделен код {code}', 'Code {code} markiert'],
  toldCopied: ['Code {code} copied.', 'Код {code} скопирован.', 'Code {code} kopiert.'],
  toldMarked: [
    'The browser does not let this page copy. The code is marked.',
    'Браузер не даёт странице копировать. Код выделен.',
    'Der Browser lässt diese Seite nicht kopieren. Der Code ist markiert.',
  ],
};

/** Return a text with the values in its places. */
export function textIn(language, key, values = {}) {
  return table[key][languages.indexOf(language)].replace(
    /\{(\w+)\}/g,
    (place, name) => values[name] ?? place,
  );
}

/** Return the language that the reader chose, else the first of the browser that is here, else English. */
export function languageFor(chosen, preferred) {
  const wanted = [chosen ?? '', ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => languages.includes(tag)) ?? 'en';
}
