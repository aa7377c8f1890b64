require "spec_helper"

RSpec.describe Bank::Ledger do
  let(:ledger) { described_class.new }

  context "when it is new" do
    it "is empty" do
      expect(ledger).to be_empty
    end
  end

  shared_examples "a list" do
    it { is_expected.to respond_to(:each) }
  end
end

class LedgerTest < ActiveSupport::TestCase
  # It must not lose anything.
  test "keeps entries" do
    assert_equal 1, (Bank::Ledger.new << 1).entries.size
  end
end

desc "Builds everything"
task build: [:clean] do
  sh "make"
end

task :clean

task "deploy" do
  Deploy.run(
