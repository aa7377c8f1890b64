# frozen_string_literal: true

# Keeps accounts.
require "json"
require_relative "ledger/entry"
require File.expand_path("../config/bank", __dir__)
require File.join(__dir__, "rates")
load "tasks/ledger.rake"

module Bank
  autoload :Report, "ledger/report"

  VERSION = "1.2.0"

  # What went wrong.
  Refused = Class.new(StandardError)

  Entry = Struct.new(:amount, :date) do
    def late?
      date < Date.today
    end
  end

  # A ledger of entries.
  #
  # Entries are never removed.
  class Ledger < Store::Base
    include Comparable
    extend Bank::Loading

    LIMIT = 100

    attr_reader :entries

    def initialize(entries = [])
      super()
      @entries = entries
    end

    # Reads a ledger from a file.
    def self.load(path)
      new(JSON.parse(File.read(path)))
    rescue Errno::ENOENT, ParserError
      raise Refused, path
    end

    class << self
      def blank
        new
      end
    end

    sig { params(entry: Entry).returns(Ledger) }
    def <<(entry)
      @entries << entry
      self
    end

    def name=(value)
      @name = value.to_s.strip
    end

    def empty? = @entries.empty?

    private def secret
      Digest::SHA256.hexdigest(@name)
    end
  end
end

class Bank::Ledger::Page; end

by_date = ->(a, b) { a.date <=> b.date }
